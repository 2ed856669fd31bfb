/** A reference to a secret is not the secret: `$TOKEN`, `${{ secrets.X }}`, `<your-token>`, `%TOKEN%`, `{token}`. */
export const isReference = (value: string): boolean =>
  /^["'`\\]{0,3}(?:\$[A-Za-z_({]|<|%[A-Za-z_]{1,60}%|\{|\[masked:)/.test(value);

/** Words that stand where a value is declared, not given. */
const declarations = new Set(
  'string str text number int integer float double boolean bool bytes any unknown object array list null nil none undefined true false yes no on off void never required optional readonly private public protected static const self this default empty missing invalid expired redacted masked hidden secret password passwd passphrase token key value todo tbd'.split(
    ' ',
  ),
);

/** A type, a keyword, a placeholder of stars: no value. */
export const isDeclaration = (value: string): boolean =>
  declarations.has(value.toLowerCase().replace(/[?!\s|]+$/, '')) ||
  /^(?:[*•.…-]*|x{3,})$/i.test(value);

/** `getToken()`, `process.env.TOKEN`, `config.auth.password`, `args[0]`: code that gives a value. */
export const isCode = (value: string): boolean =>
  /^[!&*]?[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)*(?:[([{<]|$)/.test(value) &&
  /[.([{:<]|->/.test(value);

/** A path, a URL, a version, a size, a date: what stands beside a secret name and is none. */
export const isPlainThing = (value: string): boolean =>
  /^(?:[./~]|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.test(value) ||
  /^[\d.,:+TZ-]*(?:ms|s|m|h|d|kb|mb)?$/i.test(value);

const hex = /^[0-9a-f]+$/i;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A hash, a commit, a UUID: random, but as a rule no secret. */
export const isIdentifier = (value: string): boolean => hex.test(value) || uuid.test(value);

/** No word, name, path or number: letters and digits mixed, at least six characters. */
export const looksRandom = (value: string): boolean => {
  if (value.length < 6 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // Words with a number at the end or between (`step2`, `utf-8`, `v1-node-modules`) are names.
  const isName = value
    .split(/[-_.\s]/)
    .every((part) => /^(?:[A-Z]?[a-z]*|[A-Z]*)\d{0,3}$/.test(part) || /^v?\d{1,4}$/.test(part));
  return !isName;
};
