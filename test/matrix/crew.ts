import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveProgram } from '../live/program.ts';
import { findTranscript, readRows } from '../live/wait.ts';
import { agentKeyOf, type Cell } from './cells.ts';
import { PROFILES, type Profile } from './profiles.ts';
import { Rig } from './rig.ts';
import { Scene } from './scene.ts';
import { NoSituation, type Tried, tryCell } from './try-cell.ts';

/** An agent is used for so many tries, or so many characters: a long conversation is slow to send. */
const MOST_TRIES = 30;
const MOST_CHARACTERS = 450_000;
const SITUATIONS = 3;
const ROWS_KEPT = 80;

/** Makes tries one after the other; keeps an agent as long as it is beyond doubt. */
export class Crew {
  readonly #program: LiveProgram;
  readonly #rigs = new Map<Profile, Rig>();
  #scene: { key: string; scene: Scene; tries: number; characters: number } | undefined;
  #kept = 0;

  constructor(program: LiveProgram) {
    this.#program = program;
  }

  /** `undefined`: the situation could not be brought about, also not with a new agent. */
  async try(cell: Cell): Promise<Tried | undefined> {
    for (let time = 0; time < SITUATIONS; time++) {
      let scene: Scene | undefined;
      try {
        scene = await this.#sceneFor(cell);
        const tried = await tryCell(scene, cell);
        if (!tried.isRight) await this.#keep(cell, scene, tried);
        if (!tried.isClean || !tried.isRight || cell.state.isFresh === true) await this.#retire();
        return tried;
      } catch (error) {
        await this.#keep(cell, scene, {
          error: error instanceof Error ? [error.message, String(error.cause)] : error,
        });
        await this.#retire();
        if (!(error instanceof NoSituation)) throw error;
      }
    }
    return undefined;
  }

  async close(): Promise<void> {
    for (const rig of this.#rigs.values()) await rig.close();
    this.#rigs.clear();
  }

  async #sceneFor(cell: Cell): Promise<Scene> {
    const key = agentKeyOf(cell);
    const { state, text } = cell;
    const now = this.#scene;
    if (now !== undefined) {
      const isUsedUp = now.tries >= MOST_TRIES || now.characters > MOST_CHARACTERS;
      if (now.key !== key || isUsedUp || state.isFresh === true) await this.#retire();
    }
    this.#scene ??= { key, scene: await this.#newScene(cell), tries: 0, characters: 0 };
    this.#scene.tries += 1;
    this.#scene.characters += text.text.length;
    return this.#scene.scene;
  }

  async #newScene({ state }: Cell): Promise<Scene> {
    const profile = state.profile ?? 'plain';
    const rig = this.#rigs.get(profile) ?? (await Rig.open(this.#program, PROFILES[profile]));
    this.#rigs.set(profile, rig);
    try {
      const agent = await rig.start(state.start ?? {});
      const scene = new Scene(rig, agent, await rig.runOf(agent));
      if (state.isPatient !== true) await rig.followed(scene.run);
      await state.prepare?.(scene);
      return scene;
    } catch (error) {
      throw new NoSituation('no agent for it', { cause: error });
    }
  }

  async #retire(): Promise<void> {
    const scene = this.#scene?.scene;
    this.#scene = undefined;
    await scene?.bystander?.end();
    // A server that is still ending would give the next agent another pane number; it may be gone.
    await scene?.bystander?.tmux('kill-server').catch(() => undefined);
    await scene?.agent.end();
  }

  /** Screen, rows and what is known of a try that went wrong. */
  async #keep(cell: Cell, scene: Scene | undefined, what: object): Promise<void> {
    this.#kept += 1;
    const slug = cell.name.replace(/[^a-zA-Z0-9]+/g, '-');
    const dir = join('.artefacts', 'matrix', `${slug}-${process.pid}-${this.#kept}`);
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'try.json'), JSON.stringify(what, null, 2));
    if (scene === undefined) return;
    await writeFile(join(dir, 'problems.txt'), scene.rig.problems.join('\n\n'));
    const screen = await scene.watched.screen(true).catch(String);
    await writeFile(join(dir, 'screen.ansi.txt'), screen);
    const entry = await scene.watched.registry();
    await writeFile(join(dir, 'registry.json'), JSON.stringify(entry ?? null, null, 2));
    if (entry === undefined) return;
    const file = await findTranscript(scene.watched.configDir, entry.sessionId);
    const rows = file === undefined ? [] : await readRows(file);
    const said = rows.filter((row) =>
      ['user', 'assistant', 'system', 'queue-operation', 'attachment'].includes(String(row.type)),
    );
    await writeFile(
      join(dir, 'rows.jsonl'),
      said
        .slice(-ROWS_KEPT)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    );
  }
}
