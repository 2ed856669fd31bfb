import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Direct and indirect; a new one is a decision (docs/adr/dependencies.md). */
const most = 300;

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

test('A4 what is shipped stays few packages, and only the known one runs a script when installed', () => {
  const { packages } = lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const shipped = Object.entries(packages).filter(
    ([path, { dev, optional }]) => path !== '' && dev !== true && optional !== true,
  );
  expect(shipped.length).toBeGreaterThan(10);
  expect(shipped.length).toBeLessThanOrEqual(most);
  expect(readFileSync('docs/security.md', 'utf8')).toContain(`under ${most} packages`);
  const scripts = shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(scripts.map(([path]) => path)).toEqual(['node_modules/better-sqlite3']);
});
