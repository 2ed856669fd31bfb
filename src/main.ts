#!/usr/bin/env node
// The hook is started for every dialog of every agent: it must not load the whole program (L5).
if (process.argv[2] === 'hook') {
  const { runHook } = await import('./provider/claude-code/hook-client.ts');
  await runHook(process.argv.slice(3));
} else {
  const { runMain } = await import('./cli/main.ts');
  process.exitCode = await runMain(process.argv.slice(2));
}

// Makes this file a module of its own.
export {};
