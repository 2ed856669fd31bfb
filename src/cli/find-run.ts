import type { RunHandle } from '../bridge/model/run-state.ts';
import { CliError } from './exit-codes.ts';

type Exact = (run: RunHandle) => string | undefined;

/** What a person may call a run, the most certain first. */
const NAMES: readonly Exact[] = [
  (run) => run.id,
  (run) => run.pane?.pane,
  (run) => String(run.pid),
  (run) => run.session,
  (run) => run.name,
  (run) => run.tmuxSession,
];

/** The one run that `text` names; the start of an id will do. Throws CliError when none or several fit. */
export const findRun = <Run extends RunHandle>(runs: readonly Run[], text: string): Run => {
  const exact = NAMES.map((name) => runs.filter((run) => name(run) === text));
  const begun = [
    runs.filter((run) => run.id.startsWith(text)),
    runs.filter((run) => run.session?.startsWith(text) === true),
  ];
  const fits = [...exact, ...begun].find((found) => found.length > 0) ?? [];
  const [run, ...more] = fits;
  if (run === undefined) {
    throw new CliError('notFound', `no run is called ${text}; afk-bridge ls shows those there are`);
  }
  if (more.length > 0) {
    throw new CliError('notFound', `${text} fits ${fits.map((fit) => fit.id).join(', ')}`);
  }
  return run;
};
