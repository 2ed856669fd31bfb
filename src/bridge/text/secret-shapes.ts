/** Shapes that are secrets wherever they stand. Each match is masked whole. */
export const secretShapes: readonly { readonly kind: string; readonly shape: RegExp }[] = [
  {
    // Without its end the rest of the text is masked: a key that was cut off is still a key.
    kind: 'private-key',
    shape:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: 'slack-token', shape: /\bxox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,}/g },
  { kind: 'slack-token', shape: /\bxapp-[A-Za-z0-9-]{8,}/g },
  {
    kind: 'webhook',
    shape: /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{8,}/g,
  },
  {
    kind: 'webhook',
    shape: /\bdiscord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]{8,}/g,
  },
  {
    kind: 'discord-token',
    shape: /\b[A-Za-z\d_-]{23,28}\.[A-Za-z\d_-]{6,7}\.[A-Za-z\d_-]{27,45}(?![A-Za-z\d_-])/g,
  },
  { kind: 'anthropic-key', shape: /\bsk-ant-[A-Za-z0-9_-]{8,}/g },
  { kind: 'api-key', shape: /\bsk-[A-Za-z0-9_-]{20,}/g },
  { kind: 'github-token', shape: /\bgh[pousr]_[A-Za-z0-9]{20,}/g },
  { kind: 'github-token', shape: /\bgithub_pat_[A-Za-z0-9_]{20,}/g },
  { kind: 'gitlab-token', shape: /\bgl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{16,}/g },
  { kind: 'aws-key', shape: /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g },
  { kind: 'google-key', shape: /\bAIza[0-9A-Za-z_-]{30,}/g },
  { kind: 'google-token', shape: /\bya29\.[0-9A-Za-z_-]{20,}/g },
  { kind: 'stripe-key', shape: /\b(?:[sr]k|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g },
  { kind: 'npm-token', shape: /\bnpm_[A-Za-z0-9]{30,}/g },
  { kind: 'pypi-token', shape: /\bpypi-[A-Za-z0-9_-]{30,}/g },
  { kind: 'hugging-face-token', shape: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'sendgrid-key', shape: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: 'jwt', shape: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g },
  {
    kind: 'authorization',
    shape: /(?<=\b(?:Bearer|Basic|Bot)[ \t]{1,4})[A-Za-z0-9._~+/=-]{20,}/gi,
  },
  { kind: 'url-password', shape: /(?<=:\/\/[^\s:/@]{1,100}:)[^\s/@]+(?=@)/g },
  {
    kind: 'url-secret',
    shape:
      /(?<=[?&](?:access_token|auth|token|api_?key|key|secret|client_secret|password|sig|signature)=)[^&\s"'`<>)\]]{8,}/gi,
  },
];

/** Words of a name that make its value a secret: `STRIPE_SECRET_KEY=…`. */
const secretWords = new Set(
  'KEY APIKEY TOKEN SECRET PASSWORD PASSWD PASSPHRASE PASS PWD CREDENTIAL CREDENTIALS AUTH PRIVATE DSN COOKIE'.split(
    ' ',
  ),
);

export const isSecretName = (name: string): boolean =>
  name
    .toUpperCase()
    .split('_')
    .some((word) => secretWords.has(word));

/** `NAME=value` as in a .env file or before a command; groups: what comes before, name, equals, value. */
export const assignment =
  /(^|[\s"'`;&|(,{])((?:export[ \t]{1,4})?[A-Z][A-Z0-9_]{2,})([ \t]{0,4}=[ \t]{0,4})(?!=)("(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|[^\s`"']+)/gm;

/** `"apiKey": "value"` as in JSON; groups: name, between, value without its quotes. */
export const jsonMember =
  /(?<=["'])([A-Za-z][A-Za-z0-9_-]{2,60})(["']\s{0,8}:\s{0,8}["'])([^"'\s]{8,})(?=["'])/g;

/** `apiKey`, `api-key` → `API_KEY`. */
export const toConstantName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/-/g, '_')
    .toUpperCase();
