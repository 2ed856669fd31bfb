import type { PaneIdentity, RunHandle } from '../../bridge/model/run-state.ts';
import type { Look } from '../tmux/tmux.ts';
import type { ProcessSight, Sighting } from './readiness.ts';
import type { RegistryReading } from './registry.ts';
import { readScreen } from './screen.ts';

export interface SightDeps {
  readonly look: (pane: PaneIdentity) => Promise<Look>;
  /** The registry file of this run, read now. */
  readonly registry: (run: RunHandle) => Promise<RegistryReading>;
  /** `tty`: of the pane, where it is known. */
  readonly process: (run: RunHandle, tty: string | undefined) => Promise<ProcessSight>;
}

/** Looks at process, registry and pane in one go; nothing is remembered (S3). */
export const lookAt = async (
  deps: SightDeps,
  run: RunHandle,
  pane: PaneIdentity,
): Promise<Sighting> => {
  const [look, registry] = await Promise.all([deps.look(pane), deps.registry(run)]);
  // After the look: a process that lives now was there when the screen was captured.
  const process = await deps.process(run, look.found ? look.status.tty : undefined);
  if (!look.found) return { process, registry, look };
  const screen = readScreen({
    capture: look.screen,
    cols: look.status.cols,
    cursorColumn: look.status.cursorColumn,
  });
  return { process, registry, look, screen };
};

/** The screen as it stands in a report of something unknown: its last lines, without escapes. */
export const screenText = (sight: Sighting): string =>
  sight.look.found
    ? sight.look.screen.replace(/\u001b\[[0-9;:?]*[ -/]*[@-~]/g, '').replace(/\n+$/, '')
    : '';
