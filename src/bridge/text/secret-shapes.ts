import { execAt, isBoundary } from './find-tokens.ts';
import { isDeclaration, isReference, looksRandom } from './secret-values.ts';
import type { Finder, Span } from './spans.ts';

/** A secret by its shape. With a group, the group is the secret; `unless` and `onlyIf` look at it. */
interface Shape {
  readonly kind: string;
  /** Global, with `d` where it has a group; without a group it must begin at a boundary. Bounded, so that it takes no longer than the text is. */
  readonly shape: RegExp;
  /** Without it in the text the shape is not looked for. */
  readonly needle: RegExp;
  readonly onlyIf?: (value: string) => boolean;
}

const isGiven = (value: string): boolean => !isReference(value) && !isDeclaration(value);

export const secretShapes: readonly Shape[] = [
  {
    kind: 'webhook',
    needle: /hooks\.slack/,
    shape: /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{8,}/g,
  },
  {
    kind: 'webhook',
    needle: /webhook/i,
    shape: /discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/\d{1,30}\/[\w-]{8,}/g,
  },
  {
    kind: 'webhook',
    needle: /webhook\.office\.com/,
    shape: /webhook\.office\.com\/webhookb2\/[\w@/-]{20,}/g,
  },
  {
    kind: 'discord-token',
    needle: /\./,
    shape: /[MNO][A-Za-z\d_-]{22,27}\.[A-Za-z\d_-]{6,7}\.[A-Za-z\d_-]{27,45}(?![A-Za-z\d_-])/g,
    onlyIf: looksRandom,
  },
  {
    kind: 'sendgrid-key',
    needle: /SG\./,
    shape: /SG\.[\w-]{16,32}\.[\w-]{16,64}/g,
  },
  {
    kind: 'azure-secret',
    needle: /Q~/,
    shape: /[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g,
  },
  {
    kind: 'mailchimp-key',
    needle: /-us\d/,
    shape: /[0-9a-f]{32}-us\d{1,2}\b/g,
  },
  {
    kind: 'authorization',
    needle: /authorization/i,
    shape:
      /authorization\\{0,4}["']?\s{0,4}[:=,]\s{0,4}\\{0,4}["'`]?(?:(?:bearer|basic|bot|token|digest|apikey|api-key|negotiate|hmac|aws4-hmac-sha256|jwt|key)[ \t]{1,4})?([^"'`\n\\]{6,})/dgi,
    onlyIf: (value) => isGiven(value) && /\d|[A-Z].*[a-z].*[A-Z]|[=+/]/.test(value),
  },
  {
    kind: 'authorization',
    needle: /digest/i,
    shape: /authorization\\{0,4}["']?: ?digest[ \t]{1,4}([^\n]{6,})/dgi,
  },
  {
    kind: 'authorization',
    needle: /bearer|basic|bot/i,
    shape: /\b(?:bearer|basic|bot)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,})/dgi,
    onlyIf: looksRandom,
  },
  {
    kind: 'cookie',
    needle: /cookie/i,
    shape: /(?<![\w-])cookie\\{0,4}["']?: ?\\{0,4}["']?([^"'`\n\\]{4,})/dgi,
    onlyIf: (value) => /^[\w.-]{1,100}=\S/.test(value),
  },
  {
    kind: 'cookie',
    needle: /set-cookie/i,
    shape: /set-cookie\\{0,4}["']?: ?\\{0,4}["']?[\w.$-]{1,100}=([^;"'`\s\\]{4,})/dgi,
  },
  {
    kind: 'url-password',
    needle: /:\/\//,
    shape:
      /:\/\/[^\s:/@"'`<>]{0,200}:(?!\d{1,5}(?:[/?#\s"'`<>)]|$))(?!\/\/)([^\s"'`<>]{1,300})@(?=[\w.[:-])/dg,
    onlyIf: (value) => !isReference(value) && !/^\*+$/.test(value) && !/[,|]\w+:\/\//.test(value),
  },
  {
    kind: 'url-password',
    needle: /:\/\//,
    shape: /:\/\/([A-Za-z0-9_.~-]{16,300})(?=(?::x-oauth-basic)?@)/dg,
    onlyIf: looksRandom,
  },
  {
    kind: 'url-secret',
    needle: /[?&#;]/,
    shape:
      /[?&#;](?:[a-z_-]{0,20}(?:token|secret|password|passwd|passphrase|signature|api[_-]?key|credential|assertion)|auth|key|sig|pwd|pass|code|session|sessionid|sid|jwt|code_verifier|X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-(?:Signature|Credential))=([^&\s"'`<>)\]\\]{6,})/dgi,
    onlyIf: (value) => isGiven(value) && (looksRandom(value) || value.length >= 8),
  },
  {
    kind: 'connection-string',
    needle: /(?:password|pwd|key|signature)\s*=/i,
    shape:
      /[;"'][ \t]{0,4}(?:password|pwd|AccountKey|SharedAccessKey|SharedAccessSignature|SharedSecret)[ \t]{0,4}=[ \t]{0,4}([^;"'\s]{1,2000})(?=[;"'\s]|$)/dgim,
    onlyIf: isGiven,
  },
  {
    kind: 'connection-string',
    needle: /password=/i,
    shape:
      /\b(?:user|host|dbname|port|hostaddr)=\S{1,200}(?:[ \t]{1,4}\w{1,40}=\S{0,200}){0,10}?[ \t]{1,4}password=(\S{1,500})/dgi,
    onlyIf: isGiven,
  },
  {
    kind: 'command-password',
    needle: /-u|--user/,
    shape:
      /\b(?:curl|http|wget|xh)\b[^\n|;]{0,300}?[ \t](?:-u|--user)[ \t=]{0,2}["']?[^\s:"'$]{1,100}:([^\s"']{1,500})/dg,
    onlyIf: isGiven,
  },
  {
    kind: 'command-password',
    needle: /-p/,
    shape:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;]{0,300}?[ \t]-p["']?([^\s"'$-][^\s"']{0,200})/dg,
  },
  {
    kind: 'command-password',
    needle: /-p/,
    shape:
      /\b(?:sshpass|docker[ \t]{1,4}login|podman[ \t]{1,4}login|helm[ \t]{1,4}registry[ \t]{1,4}login|redis-cli|skopeo[ \t]{1,4}login)\b[^\n|;]{0,300}?[ \t](?:-p|-a)[ \t]{0,4}["']?([^\s"'$-][^\s"']{0,500})/dg,
  },
  {
    kind: 'netrc',
    needle: /login/,
    shape: /\blogin[ \t\n]{1,10}\S{1,100}[ \t\n]{1,10}password[ \t\n]{1,10}(\S{1,500})/dg,
  },
  {
    kind: 'pgpass',
    needle: /:(?:543\d|6432|\*):/,
    shape: /(?<![\w.*-])[\w.*-]{1,100}:(?:543\d|6432|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(\S{1,500})/dg,
  },
];

const findShape = ({ kind, shape, needle, onlyIf }: Shape, text: string): readonly Span[] => {
  if (!needle.test(text)) return [];
  const spans: Span[] = [];
  for (const found of text.matchAll(shape)) {
    const group = found.indices?.[1];
    if (group === undefined && !isBoundary(text, found.index)) continue;
    const [start, end] = group ?? [found.index, found.index + found[0].length];
    if (onlyIf === undefined || onlyIf(text.slice(start, end))) spans.push({ start, end, kind });
  }
  return spans;
};

/** Stretches with dots in them that could be a JWT or JWE; from the start of a run, so that none is read twice. */
const dotted = /(?<![\w-])[\w-]{10,}(?:\.[\w-]*){1,4}/g;
const jwt = /eyJ[\w-]{8,}(?:\.eyJ[\w-]{4,}(?:\.[\w-]*)?|\.[\w-]*(?:\.[\w-]{4,}){2,3})/;
const goesOn = /[ \t]{0,100}\r?\n[ \t>|│+]{0,40}([\w-]{4,}(?:\.[\w-]+){0,2})/y;

/** JSON Web Tokens, also with a line break inside of one. */
export const findJwts: Finder = (text) => {
  if (!text.includes('eyJ')) return [];
  const spans: Span[] = [];
  for (const found of text.matchAll(dotted)) {
    const at = jwt.exec(found[0]);
    if (at === null || !isBoundary(text, found.index + at.index)) continue;
    let end = found.index + at.index + at[0].length;
    for (;;) {
      const more = execAt(goesOn, text, end);
      if (more === null || !looksRandom(more[1] ?? '')) break;
      end += more[0].length;
    }
    spans.push({ start: found.index + at.index, end, kind: 'jwt' });
  }
  return spans;
};

/** Secrets by their shape alone, wherever they stand. */
export const findShapes: Finder = (text) => [
  ...secretShapes.flatMap((shape) => findShape(shape, text)),
  ...findJwts(text),
];
