import { confirm, isCancel, multiselect, note, password, text } from '@clack/prompts';
import { CliError } from './exit-codes.ts';

/** A sentence when an answer will not do; undefined: it will. */
export type Validate = (value: string) => string | undefined;

/** Questions to the person at the terminal. Each rejects with CliError `hurried` when the person leaves. */
export interface Asker {
  tell(title: string, words: string): void;
  text(question: string, detail: { initial?: string; validate: Validate }): Promise<string>;
  /** Not shown while it is typed. */
  secret(question: string, validate: Validate): Promise<string>;
  /** None, one or several. */
  choose(question: string, options: readonly string[]): Promise<readonly string[]>;
  confirm(question: string): Promise<boolean>;
}

const given = <T>(answer: T): Exclude<T, symbol> => {
  if (isCancel(answer)) throw new CliError('hurried', 'stopped; nothing was written');
  return answer as Exclude<T, symbol>;
};

export const terminalAsker: Asker = {
  tell: (title, words) => note(words, title, { format: (line) => line }),
  text: async (message, { initial, validate }) =>
    given(
      await text({
        message,
        ...(initial !== undefined && { initialValue: initial }),
        validate: (value) => validate((value ?? '').trim()),
      }),
    ).trim(),
  secret: async (message, validate) =>
    given(await password({ message, validate: (value) => validate((value ?? '').trim()) })).trim(),
  choose: async (message, options) =>
    given(
      await multiselect({
        message,
        options: options.map((value) => ({ value, label: value })),
        required: false,
      }),
    ),
  confirm: async (message) => given(await confirm({ message })),
};
