import { writeFiles } from './writes-files.ts';

writeFiles(/projects\/[^/]+\/[^/]+\.jsonl$/, (rows) =>
  rows.replaceAll('hello there', 'hello, there'),
);
