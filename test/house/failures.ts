interface Failure {
  readonly code: string;
  /** `test`, or `not here: why`, or `open: what`. */
  readonly here: string;
}

/** The rows of docs/failures.md. */
export const listed = (page: string): readonly Failure[] =>
  [...page.matchAll(/^\| ([A-Z]\d\d) \|.*\| ?([^|]*?) ?\|$/gm)].map((m) => ({
    code: m[1] ?? '',
    here: m[2] ?? '',
  }));

// Titles begin with their codes, behind the bracket of a call or as the first of a case.
const TITLE = /[([]\s*['"`]((?:[A-Z]\d\d )+)/g;

/** The codes at the beginning of titles, in order. */
export const titleCodes = (text: string): readonly string[] =>
  [...text.matchAll(TITLE)].flatMap((m) => (m[1] ?? '').trim().split(' '));

/** What is wrong between the list and the titles. */
export const faultsOf = (page: string, codes: readonly string[]): readonly string[] => {
  const inTitles = new Set(codes);
  const known = new Set<string>();
  const faults: string[] = [];
  for (const { code, here } of listed(page)) {
    if (known.has(code)) faults.push(`${code} stands twice`);
    else if (here === 'test') {
      if (!inTitles.has(code)) faults.push(`${code} has no test`);
    } else if (!/^(?:not here|open): ./.test(here)) faults.push(`${code} says nothing`);
    else if (inTitles.has(code)) {
      faults.push(`${code} is said not to be tested, and is in a title`);
    }
    known.add(code);
  }
  return [
    ...faults,
    ...[...inTitles]
      .filter((code) => !known.has(code))
      .map((code) => `${code} is in a title and not in the list`),
  ];
};
