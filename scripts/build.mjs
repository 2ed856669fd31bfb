// Compiles src/ to dist/ and copies what is served or read as it is (the page, by name of its folder).
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
cpSync('src/adapters/web/page', 'dist/adapters/web/page', { recursive: true });
chmodSync('dist/main.js', 0o755);
