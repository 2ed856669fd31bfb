import { writeFiles } from './writes-files.ts';

writeFiles(/truth-\d+\.jsonl$/, (rows) => (rows.includes('"received"') ? rows + rows : rows));
