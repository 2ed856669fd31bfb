import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secretsOf } from '../../../src/bridge/config.ts';
import { ConfigError, loadConfig } from '../../../src/bridge/config-load.ts';
import { parseConfig } from '../../../src/bridge/config-parse.ts';

const TOKENS = {
  SLACK_BOT_TOKEN: 'xoxb-dummy',
  SLACK_APP_TOKEN: 'xapp-dummy',
  DISCORD_BOT_TOKEN: 'dummy.dummy.dummy.dummy.dummy',
};

const problemsOf = (text: string, env: Record<string, string> = {}): readonly string[] => {
  const parsed = parseConfig(text, env);
  return parsed.ok ? [] : parsed.problems.map((p) => `${p.line}:${p.col} ${p.message}`);
};

describe('parseConfig (O2)', () => {
  it('reads an empty file as all defaults', () => {
    const parsed = parseConfig('', {});
    expect(parsed.ok && parsed.file).toMatchObject({
      logLevel: 'info',
      web: { host: '127.0.0.1', port: 4317 },
      runs: { outsideTmux: false },
      interrupt: { reactions: ['🛑'], confirmWithinSeconds: 60 },
    });
  });

  it('reads an empty section as its defaults', () => {
    expect(problemsOf('runs:\nweb:\n  # port: 1\n')).toEqual([]);
  });

  it.each([
    ['a misspelt key', 'web:\n  prot: 1', '2:3 web.prot: unknown key; did you mean port?'],
    ['a key in another section', 'port: 1', '1:1 port: unknown key; did you mean web.port?'],
    ['another spelling', 'log-level: info', '1:1 log-level: unknown key; did you mean logLevel?'],
    [
      'a key in a list',
      'runs:\n  rules:\n    - {cwdd: /a, show: true, cwd: /a}',
      '3:8 runs.rules[0].cwdd: unknown key; did you mean cwd?',
    ],
    ['a wrong type', 'web: 7', '1:6 web: must be a section with keys'],
    ['a wrong value', 'logLevel: loud', '1:11 logLevel: must be one of trace, debug, info,'],
    ['a number out of range', 'web:\n  port: 70000', '2:9 web.port: must be a whole number from 0'],
    ['another address', 'web:\n  host: 0.0.0.0', '2:9 web.host: must be a loopback address'],
    ['a rule for nothing', 'runs:\n  rules:\n    - {show: true}', '3:7 runs.rules[0]: needs cwd'],
    ['a relative glob', 'runs:\n  rules: [{cwd: a, show: true}]', '2:17 runs.rules[0].cwd: must'],
    ['an unset variable', 'stateDir: ${NOPE}', '1:11 the environment variable NOPE is not set'],
    ['broken YAML', 'web: [\n', '2:1 Flow sequence'],
    ['a key given twice', 'web:\n  port: 1\n  port: 2', '3:3 Map keys must be unique'],
    ['an alias', 'tmux: &a\n  sockets: auto\nweb: *a', '3:6 anchors and aliases are not read'],
    ['a wrong person', 'access:\n  owners: [bob]', '2:12 access.owners[0]: must be platform:'],
    ['a wrong role kind', 'access:\n  owners: ["slack:role:R1"]', '2:12 access.owners[0]: must'],
    ['a bad pattern', 'redact:\n  patterns: ["("]', '2:14 redact.patterns[0]: must be a regular'],
    [
      'a way out of the directory',
      'replies:\n  attachments: { dir: ../x }',
      '2:23 replies.attachments.dir: must be a path inside',
    ],
  ])('names %s with its position', (_what, text, expected) => {
    expect(problemsOf(text).join('\n')).toContain(expected);
  });

  it('reports every problem at once', () => {
    expect(problemsOf('web:\n  port: x\nfoo: 1\n')).toHaveLength(2);
  });

  it('never quotes a value: it may be a secret', () => {
    const text = 'slack:\n  botToken: hunter2-secret\n  channels: [{id: C0X}]\n  appToken: "oops';
    expect(problemsOf(text).join('\n')).not.toMatch(/hunter2|oops/);
    expect(
      problemsOf('slack: {botToken: $T, channels: []}'.replace('$T', '${T}'), {
        T: 'hunter2-secret',
      }).join('\n'),
    ).not.toContain('hunter2');
  });

  it('takes numbers and flags from variables, and leaves $${ alone', () => {
    const parsed = parseConfig(
      'web: {port: "${P}"}\nruns: {outsideTmux: "${F}"}\nclaudeCode: {command: "$${X}"}',
      { P: '99', F: 'true' },
    );
    expect(parsed.ok && parsed.file).toMatchObject({
      web: { port: 99 },
      runs: { outsideTmux: true },
      claudeCode: { command: '${X}' },
    });
  });

  it('keeps an unquoted id exact although it is longer than a number', () => {
    const parsed = parseConfig('discord: {channels: [{id: 600000000000000001}]}', {});
    expect(parsed.ok && parsed.file.discord?.channels[0]?.id).toBe('600000000000000001');
  });
});

describe('loadConfig (O2)', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'afk-config-'));
    mkdirSync(join(dir, 'home/.config/afk-bridge'), { recursive: true });
    mkdirSync(join(dir, 'cwd'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const put = (path: string, text: string): string => {
    writeFileSync(join(dir, path), text, { mode: 0o600 });
    return join(dir, path);
  };
  const load = (asked?: string, env: Record<string, string> = {}) =>
    loadConfig(asked, { env, cwd: join(dir, 'cwd'), home: join(dir, 'home') });

  it('looks in order: --config, $AFK_BRIDGE_CONFIG, the directory, the home, nowhere', () => {
    const port = (asked?: string, env?: Record<string, string>) => load(asked, env).config.web.port;
    expect(load().file).toBeUndefined();
    put('home/.config/afk-bridge/config.yaml', 'web: {port: 1}');
    expect(port()).toBe(1);
    put('cwd/afk-bridge.yaml', 'web: {port: 2}');
    expect(port()).toBe(2);
    const third = put('env.yaml', 'web: {port: 3}');
    expect(port(undefined, { AFK_BRIDGE_CONFIG: third })).toBe(3);
    const fourth = put('asked.yaml', 'web: {port: 4}');
    expect(port(fourth, { AFK_BRIDGE_CONFIG: third })).toBe(4);
  });

  it('refuses a named file that is not there', () => {
    expect(() => load('nowhere.yaml')).toThrow(/nowhere\.yaml: no such file \(named by --config\)/);
    expect(() => load(undefined, { AFK_BRIDGE_CONFIG: '/nowhere' })).toThrow(/AFK_BRIDGE_CONFIG/);
  });

  it('says file, line and column', () => {
    const path = put('cwd/afk-bridge.yaml', 'web:\n  prot: 1\n');
    expect(() => load()).toThrow(
      new ConfigError(`${path}:2:3: web.prot: unknown key; did you mean port?`),
    );
  });

  it('expands ~ everywhere a path may stand, and starts relative paths at the file', () => {
    put(
      'home/.config/afk-bridge/config.yaml',
      [
        'stateDir: state',
        'claudeCode: {configDir: ~/.claude-two}',
        'tmux: {sockets: [work, ~/sock]}',
        'runs: {rules: [{cwd: "~/a/**", show: true}]}',
        'web: {baseUrl: https://bridge.example.net/}',
      ].join('\n'),
    );
    const home = join(dir, 'home');
    expect(load().config).toMatchObject({
      stateDir: join(home, '.config/afk-bridge/state'),
      claudeCode: { configDir: join(home, '.claude-two') },
      tmux: { sockets: [{ name: 'work' }, { path: join(home, 'sock') }] },
      runs: { rules: [{ cwd: join(home, 'a/**'), show: true }] },
      web: { baseUrl: 'https://bridge.example.net' },
    });
  });

  it('reads the example of the documentation', () => {
    put('cwd/afk-bridge.yaml', readFileSync('docs/config-example.yaml', 'utf8'));
    const { config, warnings } = load(undefined, TOKENS);
    expect(warnings).toEqual([]);
    expect(config.slack?.channels[0]).toMatchObject({
      id: 'slack:C0AGENTS',
      platform: 'slack',
      match: { cwd: join(dir, 'home/work/**') },
      overview: true,
    });
    expect(config.access.owners).toEqual([
      { platform: 'slack', team: 'T0TEAM', kind: 'user', id: 'U0ALICE' },
    ]);
    expect(config.access.drivers).toContainEqual({
      platform: 'slack',
      kind: 'usergroup',
      id: 'S0TEAM',
    });
    expect(secretsOf(config)).toEqual(Object.values(TOKENS));
  });

  it('reads secrets from files, and says when they are missing or given twice', () => {
    put('home/token', 'xoxb-from-file\n');
    const slack = (keys: string) =>
      put('cwd/afk-bridge.yaml', `slack:\n  ${keys}\n  channels: [{id: C0X, all: true}]\n`);
    slack('botTokenFile: ~/token\n  appToken: xapp-dummy');
    expect(load().config.slack?.botToken).toBe('xoxb-from-file');
    slack('botTokenFile: ~/nothing\n  appToken: xapp-dummy');
    expect(() => load()).toThrow(/:2:17: slack\.botTokenFile: .*nothing: no such file/);
    slack('botTokenFile: ~/token\n  botToken: xoxb-a\n  appToken: xapp-dummy');
    expect(() => load()).toThrow(/:2:17: slack\.botTokenFile: botToken is given too/);
    slack('botToken: xoxb-a');
    expect(() => load()).toThrow(/slack\.appToken: is missing; appTokenFile would do as well/);
  });

  it('warns of a channel that shows nothing and of a token that others can read', () => {
    const path = put(
      'cwd/afk-bridge.yaml',
      'slack: {botToken: xoxb-dummy, appToken: xapp-dummy, channels: [{id: C0X}]}',
    );
    chmodSync(path, 0o644);
    expect(load().warnings).toEqual([
      expect.stringContaining('channel slack:C0X shows nothing'),
      expect.stringContaining('chmod 600'),
    ]);
  });
});
