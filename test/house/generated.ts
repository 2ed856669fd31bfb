import { cliPage } from './cli-page.ts';
import { configurationPage } from './configuration-page.ts';
import { invariantsPage } from './invariants.ts';
import { metricsPage } from './metrics-page.ts';

/** A page of docs/ that comes from code. */
export interface GeneratedPage {
  readonly path: string;
  readonly render: () => string;
}

export const GENERATED: readonly GeneratedPage[] = [
  { path: 'docs/cli.md', render: cliPage },
  { path: 'docs/configuration.md', render: configurationPage },
  { path: 'docs/invariants.md', render: invariantsPage },
  { path: 'docs/metrics.md', render: metricsPage },
];
