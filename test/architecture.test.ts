import { describe, expect, it } from 'vitest';
import {
  cycleViolations,
  exportViolations,
  importViolations,
  nameViolations,
  purityViolations,
  sizeViolations,
  swallowViolations,
  type Violations,
} from './house/rules.ts';
import { importsOf, sourceFile, sourcesBelow } from './house/source.ts';

const sources = sourcesBelow('src');
const all = [...sources, ...sourcesBelow('test'), ...sourcesBelow('compat')];
const none: Violations = [];

describe('the house', () => {
  it('has files to look at', () => expect(sources.length).toBeGreaterThan(10));
  it('invariant 1: a folder imports only what the import table allows it', () =>
    expect(sources.flatMap(importViolations)).toEqual(none));
  it('invariant 2: what decides touches no clock, randomness, file, process or network', () =>
    expect(sources.flatMap(purityViolations)).toEqual(none));
  it('invariant 8: exactly one module types into a pane', () => {
    const typing = sources.filter((file) => /\btmux\.(keys|paste)\(/.test(file.code));
    expect(typing.map((file) => file.path)).toEqual(['src/provider/claude-code/keyboard.ts']);
    const sending = sources.filter((file) =>
      /'(send-keys|paste-buffer)|`paste-buffer/.test(file.text),
    );
    for (const file of sending) expect(file.path).toMatch(/^src\/provider\/tmux\//);
    // Who plays a person at a terminal of the contract's own.
    const byHand = sources.filter((file) =>
      file.imports.some(({ specifier, isType }) => !isType && specifier.endsWith('/by-hand.ts')),
    );
    expect(byHand.map((file) => file.path)).toEqual(['src/verify/real-stage.ts']);
  });
  it('has no import cycle', () => expect(cycleViolations(sources)).toEqual(none));
  it('keeps files small', () => {
    expect(sizeViolations(sources)).toEqual(none);
    expect(sizeViolations(all)).toEqual(none);
  });
  it('uses names that say something', () => expect(all.flatMap(nameViolations)).toEqual(none));
  it('exports by name, where the thing is made', () =>
    expect(sources.flatMap(exportViolations)).toEqual(none));
  it('drops no error without a word', () =>
    expect(sources.flatMap(swallowViolations)).toEqual(none));
});

describe('importsOf', () => {
  it('sees value, type, re-export, side-effect and dynamic imports, and no comment', () => {
    const text = [
      "import { a, type B } from './value.ts';",
      "import type { C } from './type.ts';",
      "import { type D, type E } from './types.ts';",
      "import * as f from 'star';",
      "import g, {\n  h,\n} from 'many-lines';",
      "export { i } from './re-export.ts';",
      "export type { J } from './re-type.ts';",
      "export * from './all.ts';",
      "import './effect.ts';",
      "const k = await import('./dynamic.ts');",
      "// import { no } from './comment.ts';",
      "/* import './block.ts'; */",
      "const url = 'https://x.example//import'; import { l } from './after.ts';",
    ].join('\n');
    const seen = importsOf(text).map((i) => `${i.isType ? 'type ' : ''}${i.specifier}`);
    expect(seen.sort()).toEqual(
      [
        './value.ts',
        'type ./type.ts',
        'type ./types.ts',
        'star',
        'many-lines',
        './re-export.ts',
        'type ./re-type.ts',
        './all.ts',
        './effect.ts',
        './dynamic.ts',
        './after.ts',
      ].sort(),
    );
  });
});

describe('the rules find what is wrong', () => {
  const imports = (path: string, text: string) => importViolations(sourceFile(path, text));

  it.each([
    ['host to chat', 'src/bridge/host/a.ts', "import { b } from '../chat/b.ts';"],
    ['chat to host, as a type', 'src/bridge/chat/a.ts', "import type { B } from '../host/b.ts';"],
    ['adapter to adapter', 'src/adapters/slack/a.ts', "import { b } from '../web/b.ts';"],
    ['adapter to provider', 'src/adapters/web/a.ts', "import '../../provider/tmux/b.ts';"],
    ['adapter to store', 'src/adapters/web/a.ts', "await import('../../bridge/store/b.ts')"],
    ['model to ports', 'src/bridge/model/a.ts', "export { b } from '../ports/b.ts';"],
    ['anyone to cli', 'src/demo/a.ts', "import { b } from '../cli/b.ts';"],
    ['a value of the log', 'src/adapters/web/a.ts', "import { l } from '../../bridge/log.ts';"],
    ['a package elsewhere', 'src/provider/claude-code/a.ts', "import { execa } from 'execa';"],
    ['a platform elsewhere', 'src/cli/a.ts', "import { Client } from 'discord.js';"],
    ['a child process', 'src/bridge/a.ts', "import { spawn } from 'node:child_process';"],
    ['a package nobody listed', 'src/bridge/chat/a.ts', "import left from 'left-pad';"],
    ['a folder nobody listed', 'src/other/a.ts', ''],
  ])('%s', (_what, path, text) => expect(imports(path, text)).toHaveLength(1));

  it.each([
    ['own folder', 'src/bridge/host/a.ts', "import { b } from './b.ts';"],
    ['contracts', 'src/bridge/host/a.ts', "import type { B } from '../model/b.ts';"],
    ['the log as a type', 'src/adapters/web/a.ts', "import type { L } from '../../bridge/log.ts';"],
    ['all, from cli', 'src/cli/a.ts', "import { b } from '../bridge/store/b.ts';"],
  ])('and leaves alone: %s', (_what, path, text) => expect(imports(path, text)).toEqual(none));

  it.each([
    'const t = Date.now();',
    'const t = new Date();',
    'const r = Math.random();',
    'setTimeout(f, 1);',
    'const h = process.env;',
    "import { readFileSync } from 'node:fs';",
    "import { createHash, randomUUID } from 'node:crypto';",
    "import { now } from '../store/now.ts';",
  ])('impurity: %s', (text) =>
    expect(purityViolations(sourceFile('src/bridge/model/a.ts', text))).not.toEqual(none),
  );

  it('and leaves pure code alone', () => {
    const text = [
      "import { createHash } from 'node:crypto';",
      "import type { Now } from '../store/now.ts';",
      '// Date.now() would be wrong here',
      "const hint = 'Math.random()'; const at = new Date(when);",
    ].join('\n');
    expect(purityViolations(sourceFile('src/bridge/model/a.ts', text))).toEqual(none);
    expect(purityViolations(sourceFile('src/bridge/store/a.ts', 'Date.now()'))).toEqual(none);
  });

  it('cycles, but not of types', () => {
    const a = sourceFile('src/a.ts', "import { b } from './b.ts';");
    expect(cycleViolations([a, sourceFile('src/b.ts', "import { a } from './a.ts';")])).toEqual([
      'src/a.ts → src/b.ts → src/a.ts',
    ]);
    const types = sourceFile('src/b.ts', "import type { A } from './a.ts';");
    expect(cycleViolations([a, types])).toEqual(none);
  });

  it('sizes, names and exports', () => {
    const file = (path: string, text: string) => sourceFile(path, text);
    expect(sizeViolations([file('src/a.ts', 'x\n'.repeat(401))])).toHaveLength(2);
    expect(
      sizeViolations([file('src/a.ts', 'x\n'.repeat(400)), file('b', ''), file('c', '')]),
    ).toEqual(none);
    expect(nameViolations(file('src/text-utils.ts', ''))).toHaveLength(1);
    expect(nameViolations(file('src/index.ts', ''))).toHaveLength(1);
    expect(nameViolations(file('src/RunState.ts', ''))).toHaveLength(1);
    expect(nameViolations(file('src/a.ts', 'export class RunManager {}'))).toHaveLength(1);
    expect(nameViolations(file('src/observe.loop.ts', 'const handled = 1;'))).toEqual(none);
    expect(exportViolations(file('src/a.ts', 'export default 1;'))).toHaveLength(1);
    expect(exportViolations(file('src/a.ts', "export { b } from './b.ts';\n"))).toHaveLength(1);
    expect(
      exportViolations(file('src/a.ts', "export * from './b.ts';\nconst a = 1;")),
    ).toHaveLength(1);
    expect(exportViolations(file('src/a.ts', 'export const a = 1;'))).toEqual(none);
  });

  it('swallowed errors', () => {
    const found = (text: string) => swallowViolations(sourceFile('src/a.ts', text)).length;
    expect(found('try { f(); } catch {}')).toBe(1);
    expect(found('try { f(); } catch (error) {\n}')).toBe(1);
    expect(found('f().catch(() => {});')).toBe(1);
    expect(found('const x = await f().catch(() => undefined);')).toBe(0);
    expect(found('try { f(); } catch { /* gone already */ }')).toBe(0);
  });
});
