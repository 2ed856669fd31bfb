import { z } from 'zod';
import { parseAccess } from './config-access.ts';
import { patternProblem } from './text/custom-pattern.ts';

/** A whole number; digits in a string count, so that `${PORT}` works. */
const whole = (min: number, max: number, what: string) => {
  const range = `must be a whole number from ${min} to ${max}`;
  return z
    .preprocess(
      (v) => (typeof v === 'string' && /^\d+$/.test(v) ? Number(v) : v),
      z.int(range).min(min, range).max(max, range),
    )
    .describe(what);
};

const flag = (what: string) =>
  z
    .preprocess((v) => (v === 'true' ? true : v === 'false' ? false : v), z.boolean())
    .describe(what);

const text = (what: string) => z.string().min(1, 'must not be empty').describe(what);

const pathPattern = text('glob over the working directory, from / or ~').refine(
  (v) => /^(\/|~\/|~$|\*\*)/.test(v),
  'must start with / or ~/ or **',
);

const selector = {
  cwd: pathPattern.optional(),
  tmuxSession: text('glob over the name of the tmux session').optional(),
  name: text('glob over the name of the run').optional(),
  all: flag('matches every run').optional(),
};

const rule = z
  .strictObject({ ...selector, show: flag('whether matching runs are shown') })
  .refine(
    (r) => r.all === true || (r.cwd ?? r.tmuxSession ?? r.name) !== undefined,
    'needs cwd, tmuxSession, name or all: true',
  );

const channel = (id: z.ZodType<string>) =>
  z.strictObject({
    id,
    ...selector,
    verbosity: z
      .enum(['quiet', 'normal', 'full'])
      .default('normal')
      .describe('what a new thread posts'),
    overview: flag('one message that shows the state of the channel’s runs').default(false),
  });

const apiUrl = (fallback: string) =>
  z.url('must be a URL').default(fallback).describe('root of the platform’s API');

const token = (prefix: RegExp, shape: string, what: string) =>
  text(what).regex(prefix, `must look like ${shape}`).optional();

const tokenFile = text('file that holds the token, instead of the token itself').optional();

const access = z
  .string()
  .refine((v) => parseAccess(v) !== undefined, {
    error:
      'must be platform:[team/]kind:id, e.g. slack:U0BOB, slack:usergroup:S0TEAM, discord:role:9000',
  })
  .describe('platform:[team/]kind:id; kind user is the default');

const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/;

/** The file as a person writes it, after `${…}` was filled in. Every key has a default but the platforms' own. */
export const fileSchema = z.strictObject({
  stateDir: text('database, sockets, lock, web token; private to the user').default(
    '~/.local/state/afk-bridge',
  ),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('conversation text appears only at debug and trace'),
  retentionDays: whole(1, 3650, 'how long ledger, deliveries and audit of ended runs stay').default(
    30,
  ),
  claudeCode: z
    .strictObject({
      configDir: text('where sessions/ and projects/ are').default('~/.claude'),
      command: text('what `afk-bridge run -- claude …` starts').default('claude'),
    })
    .prefault({}),
  tmux: z
    .strictObject({
      sockets: z
        .union([z.literal('auto'), z.array(z.string().min(1))], {
          error: 'must be auto, or a list of socket names (tmux -L) and paths (tmux -S)',
        })
        .default('auto')
        .describe('auto, or a list of names (tmux -L) and paths (tmux -S)'),
    })
    .prefault({}),
  runs: z
    .strictObject({
      outsideTmux: flag('also show, read-only, agents that do not live in tmux').default(false),
      rules: z
        .array(rule)
        .optional()
        .describe('the first match wins; without a list all runs are shown, with one no match is'),
    })
    .prefault({}),
  web: z
    .strictObject({
      host: z
        .string()
        .regex(
          LOOPBACK,
          'must be a loopback address (127.0.0.1 or ::1): put a proxy in front and set web.baseUrl',
        )
        .default('127.0.0.1')
        .describe('loopback only'),
      port: whole(0, 65_535, '0: any free port, printed at start').default(4317),
      baseUrl: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .optional()
        .describe('where a proxy serves the page; used in deep links'),
    })
    .prefault({}),
  slack: z
    .strictObject({
      botToken: token(/^xoxb-/, 'xoxb-…', 'bot token'),
      botTokenFile: tokenFile,
      appToken: token(/^xapp-/, 'xapp-…', 'app-level token for Socket Mode'),
      appTokenFile: tokenFile,
      apiUrl: apiUrl('https://slack.com/api/'),
      channels: z
        .array(channel(text('channel id').regex(/^[CG][A-Z0-9]+$/, 'must look like C0AGENTS')))
        .min(1, 'needs at least one channel')
        .describe(
          'where threads are shown; a channel without cwd, tmuxSession, name or all shows nothing',
        ),
    })
    .optional(),
  discord: z
    .strictObject({
      botToken: token(/^\S{20,}$/, 'a bot token', 'bot token'),
      botTokenFile: tokenFile,
      apiUrl: apiUrl('https://discord.com/api'),
      channels: z
        .array(channel(text('channel id').regex(/^\d{15,25}$/, 'must be a channel id (digits)')))
        .min(1, 'needs at least one channel')
        .describe('text channels (threads) and forum channels (posts)'),
    })
    .optional(),
  access: z
    .strictObject({
      owners: z.array(access).default([]).describe('grant, ignore, set verbosity, and drive'),
      drivers: z.array(access).default([]).describe('reply, answer, interrupt'),
    })
    .prefault({}),
  interrupt: z
    .strictObject({
      reactions: z.array(z.string().min(1)).default(['🛑']).describe('reactions that ask for it'),
      confirmWithinSeconds: whole(5, 600, 'how long the confirmation stays open').default(60),
    })
    .prefault({}),
  replies: z
    .strictObject({
      holdForSeconds: whole(
        10,
        86_400,
        'how long a held reply waits for its reason to pass',
      ).default(600),
      maxKilobytes: whole(1, 1000, 'larger replies are refused').default(200),
      commands: z
        .array(z.string().regex(/^[a-z][a-z0-9:-]*$/, 'must be a command name without the slash'))
        .default(['compact', 'clear', 'context'])
        .describe('what !cmd may send'),
      attachments: z
        .strictObject({
          dir: text('inside the run’s directory')
            .refine(
              (v) => !v.startsWith('/') && !v.startsWith('~') && !v.split('/').includes('..'),
              'must be a path inside the run’s directory',
            )
            .default('.afk-bridge/attachments'),
          maxMegabytes: whole(1, 1000, 'larger files are refused').default(20),
        })
        .prefault({}),
    })
    .prefault({}),
  redact: z
    .strictObject({
      patterns: z
        .array(
          text('regular expression').superRefine((source, ctx) => {
            const problem = patternProblem(source);
            if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
          }),
        )
        .default([])
        .describe('regular expressions, in addition to what is always masked'),
    })
    .prefault({}),
});

export type FileConfig = z.output<typeof fileSchema>;
