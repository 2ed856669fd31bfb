/** Whose value is a secret whatever it looks like. */
const strong = new Set(
  'PASSWORD PASSWD PASSPHRASE PASSCODE PWD PASS SECRET SECRETS APIKEY TOKEN CREDENTIAL CREDENTIALS AUTHTOKEN ACCESSTOKEN'.split(
    ' ',
  ),
);
/** Whose value is one when it looks like one. */
const weak = new Set(
  'KEY AUTH PRIVATE DSN COOKIE SESSION SESSIONID SID JWT BEARER SIGNATURE'.split(' '),
);

/** `PGPASSWORD`, `authtoken`, `clientsecret`: written as one word. */
const ending = /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|APIKEY|SECRETKEY|ACCESSKEY|PRIVATEKEY)$/;
const strongPair =
  /(?:^|_)(?:API|ACCESS|SECRET|PRIVATE|ENCRYPTION|SIGNING|MASTER|ACCOUNT|STORAGE|AUTH|SERVICE|LICENSE|SSH|DEPLOY)_KEY(?:_|$)|(?:^|_)(?:AUTH|SECRET)_(?:VALUE|STRING)(?:_|$)/;

/** Names that hold one of the words and are none: what counts, describes or points to something. */
const harmless =
  /(?:^|_)(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE|ROUTING|TRANSLATION|MAX|MIN|NUM|TOTAL|USED|INPUT|OUTPUT|NEXT|PREV|PAGE|CONTINUATION|CSS|SYNTAX)_(?:\w+_)?(?:KEY|KEYS|TOKEN|TOKENS)$|_(?:ID|IDS|TYPE|NAME|NAMES|FILE|PATH|DIR|URL|URI|LENGTH|SIZE|COUNT|LIMIT|EXPIRY|EXPIRES|EXPIRATION|TTL|TIMEOUT|FORMAT|PREFIX|REF|FIELD|HEADER|ALGORITHM|ALG|ENABLED|REQUIRED|HINT|POLICY|PROVIDER|STATUS|STATE|METHOD|MODE|SCOPE|SCOPES|VERSION|INDEX|USAGE|BUDGET|AT|IN)$|^KEY_CODE/;

export type NameStrength = 'strong' | 'weak' | 'none';

/** `apiKey`, `api-key`, `Api.Key` → `API_KEY`. */
export const toConstantName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();

/** How surely the value of this name is a secret. */
export const nameStrength = (name: string): NameStrength => {
  const constant = toConstantName(name);
  if (harmless.test(constant)) return 'none';
  const words = constant.split('_');
  if (words.some((word) => strong.has(word) || ending.test(word)) || strongPair.test(constant)) {
    return 'strong';
  }
  return words.some((word) => weak.has(word)) ? 'weak' : 'none';
};

/** A password may be any word; a token is never one. */
export const isPasswordName = (name: string): boolean =>
  /(?:^|_)(?:\w*PASSWORD|\w*PASSWD|PASSPHRASE|PASSCODE|PWD|PASS|\w*SECRET)(?:_|$)/.test(
    toConstantName(name),
  );

/** Without one of these in the text no name in it can be a secret's. */
export const anySecretWord =
  /pass|pwd|secret|token|key|auth|cred|cookie|private|dsn|session|sid|jwt|bearer|signature/i;
