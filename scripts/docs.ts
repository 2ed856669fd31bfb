// Writes the pages of docs/ that come from code; test/docs.test.ts compares them.
import { writeFileSync } from 'node:fs';
import { GENERATED } from '../test/house/generated.ts';

for (const { path, render } of GENERATED) {
  writeFileSync(path, render());
  console.log(path);
}
