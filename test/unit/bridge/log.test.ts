import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog, type LogOptions } from '../../../src/bridge/log.ts';
import { tempDir } from '../../fakes/temp-dir.ts';

const logTo = (level: LogOptions['level'], secrets: readonly string[] = []) => {
  const file = join(tempDir(), 'afk-bridge.log');
  return { file, log: createLog({ level, file, secrets }), read: () => readFileSync(file, 'utf8') };
};

describe('createLog (O4)', () => {
  it('writes JSON lines that name run, thread and delivery, to a private file', () => {
    const { file, log, read } = logTo('info');
    log.child({ run: 'h-1-2' }).child({ delivery: 'd1' }).info({ stage: 'pasted' }, 'typed');
    expect(JSON.parse(read())).toMatchObject({
      run: 'h-1-2',
      delivery: 'd1',
      stage: 'pasted',
      msg: 'typed',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('invariant 3: no secret of the bridge stands in any log line (A4)', () => {
    const { log, read } = logTo('trace', ['xoxb-dummy', 'a"b c']);
    log.child({ thread: 'xoxb-dummy' }).warn({ url: 'https://x/?t=xoxb-dummy' }, 'with xoxb-dummy');
    log.error({ err: new Error('failed for a"b c'), deep: { er: ['a"b c', 'a%22b%20c'] } }, 'x');
    log.trace({ text: 'xoxb-dummy' }, 'x');
    expect(read()).not.toMatch(/xoxb-dummy|a\\"b c|a%22b/);
    expect(read()).toContain('[secret]');
  });

  it('invariant 4: conversation text is logged at debug and trace only', () => {
    const { log, read } = logTo('trace');
    log.info({ item: { kind: 'text', text: 'private words' } }, 'x');
    log.error({ outcome: { status: 'unknown', screen: 'private words' } }, 'x');
    expect(read()).not.toContain('private words');
    log.debug({ item: { text: 'private words' } }, 'x');
    expect(read()).toContain('private words');
  });

  it('P7 a secret of others is masked in a log line too, and the line stays JSON', () => {
    const { log, read } = logTo('trace');
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const key = `-----BEGIN PRIVATE ${'KEY'}-----`;
    log.error({ err: new Error(`cannot fetch https://me:hunter2@x/ with ${token}`) }, token);
    log.debug({ text: `API_KEY=hunter2 ${key}`, other: `-----END PRIVATE ${'KEY'}-----` }, 'x');
    expect(read()).not.toMatch(/ghp_a1|hunter2/);
    for (const line of read().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
  });

  it('leaves out what is below its level', () => {
    const { log, read } = logTo('info');
    log.debug({ text: 'private words' }, 'x');
    expect(read()).toBe('');
  });

  it('keeps one older file once the log is large', () => {
    const file = join(tempDir(), 'afk-bridge.log');
    writeFileSync(file, '');
    truncateSync(file, 20_000_001);
    createLog({ level: 'info', file, secrets: [] }).info({}, 'anew');
    expect(existsSync(`${file}.1`)).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain('anew');
  });
});
