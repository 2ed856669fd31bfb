import { afterAll, describe, expect, it } from 'vitest';
import { CELLS } from '../matrix/cells.ts';
import { Crew } from '../matrix/crew.ts';
import { isRight } from '../matrix/judge.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();

describe.skipIf(program.isMissing)(
  `S04 S06 S09 S12 S25 each cell of the matrix once ${program.title}`,
  () => {
    const crew = new Crew(program);
    afterAll(() => crew.close());

    it.each(CELLS)('D1, D2, D3: $name', async (cell) => {
      const tried = await crew.try(cell);
      if (tried === undefined) throw new Error('the situation could not be brought about');
      expect(
        isRight(tried.faults),
        JSON.stringify({ ...tried.faults, ...tried.notes }, null, 2),
      ).toBe(true);
    });
  },
);
