import type { ItemWindow, ReadRequest } from '../model/commands.ts';
import type { RunSummary } from '../model/run-state.ts';
import type { ChatLink } from '../ports/link.ts';
import type { RunReader } from '../ports/run-reader.ts';

/** Reads runs over the link: nothing of them is kept on this side (R5). */
export const createRunReader = (link: Pick<ChatLink, 'read'>): RunReader => {
  const window = async (request: ReadRequest): Promise<ItemWindow> => {
    const answer = await link.read(request);
    if (answer.type !== 'window')
      throw new Error(`the host answered ${answer.type} to ${request.type}`);
    return answer.window;
  };
  return {
    list: async (): Promise<readonly RunSummary[]> => {
      const answer = await link.read({ type: 'list' });
      if (answer.type !== 'list') throw new Error(`the host answered ${answer.type} to list`);
      return answer.runs;
    },
    run: async (run) => {
      const answer = await link.read({ type: 'run', run });
      if (answer.type !== 'run') throw new Error(`the host answered ${answer.type} to run`);
      return answer.run;
    },
    window: (run, before, limit) =>
      window({ type: 'window', run, limit, ...(before === undefined ? {} : { before }) }),
    changes: (run, cursor) => window({ type: 'changes', run, cursor }),
  };
};
