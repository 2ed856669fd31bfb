import { writeFiles } from './writes-files.ts';

// The record is as it must be; what the model is given is not.
writeFiles(/truth-\d+\.jsonl$/, (rows) => rows.replaceAll('hello there', 'hello, there'));
