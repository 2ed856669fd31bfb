import { hearKeys } from './hears-keys.ts';

hearKeys((chunk) => (chunk === '\r' ? '' : chunk));
