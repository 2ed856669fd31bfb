/** How one character stands on the screen, as far as the screen reader cares. */
export interface Look {
  readonly isDim: boolean;
  readonly isReverse: boolean;
  readonly isBold: boolean;
  /** Colour as in its SGR sequence, `38;5;246`; '' is the default colour. */
  readonly fg: string;
  readonly bg: string;
}

export interface Cell {
  readonly char: string;
  readonly look: Look;
}

/** One line of a capture: its characters without escapes, and how each looks. Trailing blanks are cut from `text`. */
export interface Line {
  readonly text: string;
  readonly cells: readonly Cell[];
}

const PLAIN: Look = { isDim: false, isReverse: false, isBold: false, fg: '', bg: '' };

/** Every escape sequence that a terminal program or tmux may leave in a line. */
const ESCAPE =
  /\x1b(?:\[([0-9;:]*)([A-Za-z])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Za-z0-9]|[@-Z\\^_=>])/y;

const colour = (codes: readonly string[], at: number): { value: string; used: number } => {
  const used = codes[at + 1] === '5' ? 3 : codes[at + 1] === '2' ? 5 : 1;
  return { value: codes.slice(at, at + used).join(';'), used };
};

const applied = (look: Look, parameters: string): Look => {
  const codes = parameters.split(/[;:]/);
  let next = look;
  for (let at = 0; at < codes.length; at += 1) {
    const code = Number(codes[at] === '' ? 0 : codes[at]);
    if (code === 0) next = PLAIN;
    else if (code === 1) next = { ...next, isBold: true };
    else if (code === 2) next = { ...next, isDim: true };
    else if (code === 7) next = { ...next, isReverse: true };
    else if (code === 22) next = { ...next, isDim: false, isBold: false };
    else if (code === 27) next = { ...next, isReverse: false };
    else if (code === 39) next = { ...next, fg: '' };
    else if (code === 49) next = { ...next, bg: '' };
    else if (code === 38 || code === 48) {
      const { value, used } = colour(codes, at);
      next = code === 38 ? { ...next, fg: value } : { ...next, bg: value };
      at += used - 1;
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))
      next = { ...next, fg: String(code) };
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107))
      next = { ...next, bg: String(code) };
  }
  return next;
};

/** Splits `capture-pane -p -e` into lines with looks; a look goes on over line ends, as tmux writes it. */
export const readLines = (capture: string): readonly Line[] => {
  let look = PLAIN;
  const rows = capture.replace(/\n$/, '').split('\n');
  return rows.map((row) => {
    const cells: Cell[] = [];
    let at = 0;
    while (at < row.length) {
      ESCAPE.lastIndex = at;
      const sequence = ESCAPE.exec(row);
      if (sequence !== null) {
        if (sequence[2] === 'm') look = applied(look, sequence[1] ?? '');
        at = ESCAPE.lastIndex;
        continue;
      }
      const char = String.fromCodePoint(row.codePointAt(at) ?? 0);
      cells.push({ char, look });
      at += char.length;
    }
    return { text: trimmed(cells), cells };
  });
};

const trimmed = (cells: readonly Cell[]): string =>
  cells
    .map((cell) => cell.char)
    .join('')
    .replace(/[\s\u00a0]+$/, '');

export const isBlank = (line: Line | undefined): boolean => line === undefined || line.text === '';

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns that a text takes in a terminal; near enough to tell a wrapped line from a short one. */
export const columnsOf = (text: string): number => {
  let columns = 0;
  for (const char of text) columns += ZERO.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return columns;
};
