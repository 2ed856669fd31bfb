/** How long things take, ms, as measured on 2.1.332; the edge scales all of them together. */
export const timings = {
  /** Start until the box is there and the registry says idle. */
  start: 600,
  /** An Enter earlier than this after the start is lost; the text stays. */
  deafAtStart: 400,
  /** Enter until the registry says busy. */
  busy: 70,
  /** Enter until the prompt's row is on disk. */
  promptRow: 110,
  /** Enter until the first token. */
  firstToken: 180,
  /** A block's end until its row is on disk. */
  row: 15,
  /** End of a turn until the registry says idle. */
  idle: 100,
  /** Escape until the registry says idle. */
  interrupted: 260,
  /** A dialog is held back so long after an Enter (seen on the screen about 620 ms after it) … */
  heldAfterEnter: 600,
  /** … and after a typed character or a paste. */
  heldAfterTyping: 1300,
  /** Keys that a late dialog ignores. */
  deafDialog: 150,
  /** A second Escape, ctrl+c or ctrl+d within this long is the second of a pair. */
  pair: 800,
  /** Between the pieces of a streamed text. */
  chunk: 200,
} as const;
