import { hearKeys } from './hears-keys.ts';

hearKeys((chunk) => (/^[1-3]$/.test(chunk) ? String(Number(chunk) + 1) : chunk));
