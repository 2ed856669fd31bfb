import { configurationPage } from './configuration-page.ts';

/** A page of docs/ that comes from code. */
export interface GeneratedPage {
  readonly path: string;
  readonly render: () => string;
}

export const GENERATED: readonly GeneratedPage[] = [
  { path: 'docs/configuration.md', render: configurationPage },
];
