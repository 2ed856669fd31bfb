import { z } from 'zod';
import { fileSchema } from './config-schema.ts';

/** One key of the configuration file, as the documentation and the suggestions need it. */
export interface ConfigKey {
  /** `web.port`, `slack.channels[].id`. */
  readonly path: string;
  readonly type: string;
  /** JSON text; absent: no default. */
  readonly default?: string;
  readonly description: string;
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly default?: unknown;
  readonly description?: string;
}

const rootSchema = (): Schema => z.toJSONSchema(fileSchema, { io: 'output' }) as Schema;

const typeOf = (schema: Schema): string => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items !== undefined) {
    return schema.items.properties === undefined ? `list of ${typeOf(schema.items)}s` : 'list';
  }
  const names: Readonly<Record<string, string>> = {
    integer: 'whole number',
    boolean: 'true or false',
    string: 'text',
  };
  return names[schema.type ?? ''] ?? schema.type ?? '';
};

const list = (schema: Schema, path: string): readonly ConfigKey[] => {
  const below = schema.properties ?? schema.items?.properties;
  const prefix = schema.items?.properties === undefined ? path : `${path}[]`;
  const own: readonly ConfigKey[] =
    path === '' || (schema.properties !== undefined && schema.description === undefined)
      ? []
      : [
          {
            path,
            type: typeOf(schema),
            ...(schema.default === undefined ? {} : { default: JSON.stringify(schema.default) }),
            description: schema.description ?? '',
          },
        ];
  const children = Object.entries(below ?? {}).flatMap(([key, child]) =>
    list(child, prefix === '' ? key : `${prefix}.${key}`),
  );
  return [...own, ...children];
};

/** Every key, in the order of the schema. */
export const configKeys = (): readonly ConfigKey[] => list(rootSchema(), '');

/** The keys that are allowed at a path of the data (`['slack', 'channels', 0]`). */
export const allowedAt = (path: readonly PropertyKey[]): readonly string[] => {
  let schema: Schema | undefined = rootSchema();
  for (const step of path) {
    schema = typeof step === 'number' ? schema?.items : schema?.properties?.[String(step)];
  }
  return Object.keys(schema?.properties ?? {});
};

/** Sections: keys that hold keys. An empty one is as good as none. */
export const sectionNames = (): readonly string[] =>
  Object.entries(rootSchema().properties ?? {}).flatMap(([name, schema]) =>
    schema.properties === undefined ? [] : [name],
  );
