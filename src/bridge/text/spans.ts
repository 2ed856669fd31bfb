/** A stretch of a text that is a secret; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Finds secrets. Its time grows no faster than the text. */
export type Finder = (text: string) => readonly Span[];

/** Overlapping ones become one; the kind of the first that was found there stays. */
export const mergeSpans = (spans: readonly Span[]): readonly Span[] => {
  const sorted = spans
    .filter((span) => span.end > span.start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
};

/** The spans without what lies in `holes` (sorted, apart from each other): a mask is never masked again. */
export const outside = (spans: readonly Span[], holes: readonly Span[]): readonly Span[] => {
  if (holes.length === 0) return spans;
  const left: Span[] = [];
  let first = 0;
  for (const span of spans) {
    let { start } = span;
    while ((holes[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first++;
    for (let n = first; ; n++) {
      const hole = holes[n];
      if (hole === undefined || hole.start >= span.end) break;
      if (hole.start > start) left.push({ ...span, start, end: hole.start });
      start = Math.max(start, hole.end);
    }
    if (start < span.end) left.push({ ...span, start });
  }
  return left;
};
