import { appendFileSync, writeFileSync } from 'node:fs';
import type { DialogQuestion } from '../../src/bridge/model/conversation.ts';
import type { PaneIdentity } from '../../src/bridge/model/run-state.ts';
import type { RegistryEntry } from '../../src/provider/claude-code/registry-entry.ts';
import type { Key } from '../../src/provider/tmux/keys.ts';
import type { InputResult, Look } from '../../src/provider/tmux/tmux.ts';
import { fakeBox, fakeEntry, fakeStatus } from './fake-agent.ts';

const cols = 100;
const rule = '─'.repeat(cols);

/**
 * A question on a terminal, as Claude Code 2.1.332 works it: digits, arrows, the row for own words,
 * Submit and the review page. Answers land in a transcript file.
 */
export class FakePicker {
  readonly file: string;
  readonly call: string;
  readonly pressed: string[] = [];
  cursor = 1;
  ticked = new Set<number>();
  own = '';
  page: 'question' | 'review' | 'gone' = 'question';
  isInMode = false;
  /** Keys are dropped, as in a picker's first instants. */
  isDeaf = false;
  waitingFor = 'input needed';
  readonly #question: DialogQuestion;

  constructor(file: string, question: DialogQuestion, call = 'toolu_fake') {
    this.file = file;
    this.call = call;
    this.#question = question;
    const ask = {
      type: 'tool_use',
      id: call,
      name: 'AskUserQuestion',
      input: { questions: [question] },
    };
    const row = (type: string, uuid: string, content: unknown) =>
      `${JSON.stringify({ type, uuid, timestamp: '2026-11-30T12:00:00Z', promptSource: 'typed', message: { content } })}\n`;
    writeFileSync(file, row('user', 'u1', 'ask me') + row('assistant', 'a1', [ask]));
  }

  get #count(): number {
    return this.#question.options.length;
  }

  registry(): RegistryEntry {
    const isOpen = this.page !== 'gone';
    return fakeEntry({
      status: isOpen ? 'waiting' : 'busy',
      waitingFor: isOpen ? this.waitingFor : '',
    });
  }

  look = async (): Promise<Look> => ({
    found: true,
    status: { ...fakeStatus, isInMode: this.isInMode },
    screen: this.#screen(),
  });

  leaveMode = async () => {
    this.isInMode = false;
    return { found: true as const, status: fakeStatus };
  };

  keys = async (_pane: PaneIdentity, keys: readonly Key[]): Promise<InputResult> => {
    if (this.isInMode) return { typed: false, why: 'in-mode' };
    for (const key of keys) {
      this.pressed.push(key);
      if (!this.isDeaf) this.#press(key);
    }
    return { typed: true };
  };

  paste = async (_pane: PaneIdentity, text: string): Promise<InputResult> => {
    this.pressed.push(`paste ${text}`);
    if (!this.isDeaf) {
      this.cursor = this.#count + 1;
      this.own += text;
    }
    return { typed: true };
  };

  /** Somebody answers at the terminal, or the record says something else than was pressed. */
  answer(answers: string): void {
    this.#land({ questions: [], answers: { [this.#question.question]: answers } }, false);
  }

  decline(): void {
    this.#land('User rejected tool use', true);
  }

  #press(key: Key): void {
    const isMulti = this.#question.multiSelect;
    if (this.page === 'review') {
      if (key === 'Enter' || key === '1') this.answer(this.#chosen().join(', '));
      return;
    }
    const own = this.#count + 1;
    const last = isMulti ? own + 1 : own;
    if (key === 'Up') this.cursor = this.cursor === 1 ? last : this.cursor - 1;
    else if (key === 'Down') this.cursor = Math.min(this.cursor + 1, last);
    else if (key === 'Tab' && isMulti) this.cursor = last;
    else if (key === 'Right' && this.cursor !== own) this.page = 'review';
    else if (key === 'Enter') this.#enter(own);
    else if (/^\d$/.test(key)) this.#digit(Number(key), own);
  }

  #enter(own: number): void {
    if (this.#question.multiSelect && this.cursor > own) this.page = 'review';
    else if (this.cursor === own && !this.#question.multiSelect) this.answer(this.own);
  }

  #digit(digit: number, own: number): void {
    if (this.cursor === own) this.own += String(digit);
    else if (this.#question.multiSelect) {
      if (!this.ticked.delete(digit)) this.ticked.add(digit);
    } else if (digit === own) this.cursor = own;
    else if (digit < own) this.answer(this.#question.options[digit - 1]?.label ?? '');
  }

  #chosen(): readonly string[] {
    const labels = this.#question.options.map((option) => option.label);
    const ticked = labels.filter((_, index) => this.ticked.has(index + 1));
    return this.own === '' ? ticked : [...ticked, this.own];
  }

  #land(toolUseResult: unknown, isError: boolean): void {
    if (this.page === 'gone') return;
    this.page = 'gone';
    const content = [
      { type: 'tool_result', tool_use_id: this.call, content: 'result', is_error: isError },
    ];
    const row = { type: 'user', uuid: 'r1', message: { content }, toolUseResult };
    appendFileSync(this.file, `${JSON.stringify(row)}\n`);
  }

  #screen(): string {
    if (this.page === 'gone') return fakeBox();
    const { header, question, options, multiSelect } = this.#question;
    const head = multiSelect ? `←  ☐ ${header}  ✔ Submit  →` : ` ☐ ${header}`;
    if (this.page === 'review') {
      const chosen = this.#chosen().join(', ');
      return `${rule}\n${head}\n\nReview your answers\n\n ● ${question}\n   → ${chosen}\n\n❯ 1. Submit answers\n  2. Cancel\n`;
    }
    const labels = [
      ...options.map((option) => option.label),
      this.own || `Type something${multiSelect ? '' : '.'}`,
    ];
    const rows = labels.map((label, index) => {
      const isOwn = index === options.length;
      const isTicked = this.ticked.has(index + 1) || (isOwn && this.own !== '');
      const box = multiSelect ? `[${isTicked ? '✔' : ' '}] ` : '';
      return `${this.cursor === index + 1 ? '❯' : ' '} ${index + 1}. ${box}${label}`;
    });
    if (multiSelect) rows.push(`${this.cursor === labels.length + 1 ? '❯' : ' '}    Submit`);
    const chat = `  ${labels.length + 1}. Chat about this`;
    return `${rule}\n${head}\n\n${question}\n\n${rows.join('\n')}\n${rule}\n${chat}\n\nEnter to select · ↑/↓ to navigate · Esc to cancel\n`;
  }
}
