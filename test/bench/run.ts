import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Bench, type Figures, machine } from './figures.ts';
import { idle } from './idle.ts';
import { tail } from './tail.ts';

/** `npm run bench [-- NAME…] [--json FILE] [--note TEXT] [--short] [--minutes N | --long]` */
const BENCHES: Readonly<Record<string, Bench>> = { tail, idle };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    note: { type: 'string' },
    short: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    long: { type: 'boolean', default: false },
  },
});
const names = positionals.length === 0 ? Object.keys(BENCHES) : positionals;
const unknown = names.filter((name) => BENCHES[name] === undefined);
if (unknown.length > 0) {
  throw new Error(
    `no such benchmark: ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`,
  );
}

const minutes = values.long ? 60 : Number(values.minutes);
console.log(machine());
const all: Record<string, Figures> = {};
for (const name of names) {
  const figures = await BENCHES[name]?.({ isShort: values.short, minutes });
  if (figures === undefined) continue;
  console.log(`\n${name}: ${figures.what}`);
  console.table(figures.rows);
  console.table(figures.ratios);
  all[name] = figures;
}
if (values.json !== undefined) {
  const about = { machine: machine(), at: new Date().toISOString(), note: values.note ?? '' };
  writeFileSync(values.json, `${JSON.stringify({ about, ...all }, null, 2)}\n`);
}
