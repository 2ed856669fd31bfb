import { hearKeys } from './hears-keys.ts';

// Escape takes the message back, and the input box is emptied as well.
hearKeys((chunk) => {
  if (chunk === '\u001b') setTimeout(() => process.stdin.emit('data', '\u0015'), 60);
  return chunk;
});
