import { describe, expect, it } from 'vitest';
import { Driver } from './driver.ts';

const received = (driver: Driver) =>
  driver.truth.flatMap((entry) => (entry.type === 'received' ? [[entry.text, entry.via]] : []));
const closed = (driver: Driver) => driver.truth.filter((entry) => entry.type === 'dialog-closed');
const types = (driver: Driver) => driver.rows.map((row) => row['type']);

describe('a turn of the scripted TUI', () => {
  it('takes a reply, answers it and is idle again', () => {
    const driver = new Driver().say('hello');
    driver.run(100);
    expect(driver.registry.status).toBe('busy');
    expect(driver.screen()).toContain('esc to interrupt');
    driver.run(2000);
    expect(received(driver)).toEqual([['hello', 'typed']]);
    expect(driver.screen()).toContain('● ACK hello');
    expect(driver.registry.status).toBe('idle');
    expect(driver.rows.some((row) => row['subtype'] === 'turn_duration')).toBe(true);
  });

  it('chains every row to the one before it', () => {
    const driver = new Driver().say('one').run(2000).say('#bash').run(3000);
    const linked = driver.rows.filter((row) => row['uuid'] !== undefined);
    linked.slice(1).forEach((row, i) => {
      expect(row['parentUuid']).toBe(linked[i]?.['uuid']);
    });
    expect(new Set(linked.map((row) => row['uuid'])).size).toBe(linked.length);
  });

  it('queues what comes while it works, and sends it all in one turn at its end', () => {
    const driver = new Driver().say('#slow 2').run(500).say('one').run(100).say('two');
    expect(driver.screen()).toContain('Queued · ctrl+x ctrl+s');
    expect(driver.screen()).toContain('Press up to edit queued messages');
    driver.run(5000);
    expect(received(driver)).toEqual([
      ['#slow 2', 'typed'],
      ['one', 'queued'],
      ['two', 'queued'],
    ]);
    const operations = driver.rows.flatMap((row) => row['operation'] ?? []);
    expect(operations).toEqual(['enqueue', 'enqueue', 'dequeue', 'dequeue']);
  });

  it('takes a waiting message in with a tool result, without a user row', () => {
    const driver = new Driver().say('#bash sleep 3').run(500).say('look at this').run(5000);
    expect(received(driver)[1]).toEqual(['look at this', 'absorbed']);
    expect(driver.userTexts()).toEqual(['#bash sleep 3']);
    expect(types(driver)).toContain('attachment');
  });

  it('Escape while it streams keeps the partial text and says so', () => {
    const driver = new Driver().say('#slow 5').run(1500).key('escape').run(500);
    expect(driver.truth.at(-1)).toEqual({ type: 'interrupt', during: 'text' });
    expect(driver.rows.some((row) => row['isAbortedMidStream'] === true)).toBe(true);
    expect(JSON.stringify(driver.rows)).toContain('[Request interrupted by user]');
    expect(driver.registry.status).toBe('idle');
  });

  it('Escape before the first token un-sends: the text is back, and nothing is written', () => {
    const driver = new Driver().say('one').run(2000).say('#hang').run(400);
    const before = driver.rows.length;
    driver.key('escape').run(500);
    expect(driver.rows).toHaveLength(before);
    expect(driver.screen()).toContain('❯\u00a0#hang');
    const unsent = driver.rows.findLast((row) => row['type'] === 'user')?.['parentUuid'];
    driver.key('ctrl-u').say('next').run(2000);
    const next = driver.rows.findLast((row) => row['promptSource'] === 'typed');
    expect(next?.['parentUuid']).toBe(unsent);
    expect(driver.rows.some((row) => row['explicit'] === true)).toBe(true);
  });

  it('Escape with a queue interrupts and sends the queue', () => {
    const driver = new Driver().say('#slow 5').run(1000).say('then this').run(100);
    driver.key('escape').run(3000);
    expect(received(driver).at(-1)).toEqual(['then this', 'queued']);
  });
});

describe('the queue', () => {
  it('with a message in it, Escape before the first token un-sends nothing and sends the queue', () => {
    const driver = new Driver().say('#hang').run(500).say('waits').run(200).key('escape').run(2000);
    expect(driver.truth.map((entry) => entry.type)).not.toContain('unsent');
    expect(JSON.stringify(driver.rows)).toContain('[Request interrupted by user]');
    expect(received(driver).at(-1)).toEqual(['waits', 'queued']);
  });

  it('Up takes it back into the box, one row for each message', () => {
    const driver = new Driver().say('#slow 9').run(800).say('one').run(100).say('two').run(100);
    driver.key('up');
    expect(driver.tui.draft.text).toBe('one\ntwo');
    const popped = driver.rows.filter((row) => row['operation'] === 'popAll');
    expect(popped.map((row) => row['content'])).toEqual(['one', 'two']);
  });

  it('commands and shell lines in it are run one by one when the turn ends', () => {
    const driver = new Driver().say('#slow 2').run(800).say('/nope').run(100).say('!echo hi');
    driver.run(100).say('then').run(5000);
    expect(driver.truth.slice(1)).toEqual([
      { type: 'lost', text: '/nope' },
      { type: 'shell', command: 'echo hi' },
      { type: 'received', text: 'then', via: 'queued' },
    ]);
  });
});

describe('what is typed', () => {
  it('an unknown /word is lost, a path and an indented one are sent', () => {
    const driver = new Driver().say('/nope now').run(500);
    driver.say('/etc/hosts please').run(2000).say(' /nope now').run(2000);
    expect(driver.truth[0]).toEqual({ type: 'lost', text: '/nope now' });
    expect(received(driver).map(([text]) => text)).toEqual(['/etc/hosts please', ' /nope now']);
  });

  it('a final backslash makes a newline of Enter, a space after it does not', () => {
    const driver = new Driver().say('a\\');
    expect(received(driver)).toEqual([]);
    driver.key('enter').run(2000).say('b\\ ').run(2000);
    expect(received(driver).map(([text]) => text)).toEqual(['a', 'b\\']);
  });

  it('a leading ! is shell mode, even pasted', () => {
    const driver = new Driver().say('!echo hi').run(2000);
    expect(driver.truth[0]).toEqual({ type: 'shell', command: 'echo hi' });
    expect(driver.userTexts()[1]).toContain('<bash-stdout>hi</bash-stdout>');
  });

  it('/clear begins a new session in the same process', () => {
    const driver = new Driver().say('one').run(2000).say('/clear').run(200);
    expect(driver.registry.sessionId).toBe(driver.tui.chain.session);
    driver.say('two').run(2000);
    const last = driver.rows.findLast((row) => row['promptSource'] === 'typed');
    expect(last?.session).toBe(driver.tui.chain.session);
    expect(driver.rows[0]?.session).toBe('session-1');
  });

  it('two Escapes on an empty box open the rewind menu, one does nothing', () => {
    const driver = new Driver().key('escape').run(100);
    expect(driver.registry.waitingFor).toBeUndefined();
    driver.key('escape').run(100);
    expect(driver.registry).toMatchObject({ status: 'waiting', waitingFor: 'dialog open' });
    driver.key('escape').run(100);
    expect(driver.registry.status).toBe('idle');
  });
});

describe('dialogs', () => {
  it('are held back while someone types; the keys go into the box', () => {
    const driver = new Driver().say('#ask').run(300).type('x').run(1000);
    expect(driver.registry.status).toBe('waiting');
    expect(driver.screen()).toContain('❯\u00a0x');
    driver.type('y').run(1000);
    expect(driver.screen()).not.toContain('Enter to select');
    driver.run(400);
    expect(driver.screen()).toContain('Enter to select');
    expect(driver.tui.draft.text).toBe('xy');
  });

  it('a late dialog ignores the first keys', () => {
    const driver = new Driver().say('#ask').run(610).type('2');
    expect(closed(driver)).toEqual([]);
    driver.run(150).type('2');
    expect(closed(driver)[0]).toMatchObject({ how: 'answered' });
  });

  it.each([
    ['a digit', (d: Driver) => d.type('2'), { 'Which colour shall it be?': 'Green' }],
    [
      'arrows',
      (d: Driver) => d.key('down', 'down', 'enter'),
      { 'Which colour shall it be?': 'Blue' },
    ],
    [
      'own words',
      (d: Driver) => d.type('4').paste('a mix').key('enter'),
      { 'Which colour shall it be?': 'a mix' },
    ],
    [
      'a paste',
      (d: Driver) => d.paste('pasted').key('enter'),
      { 'Which colour shall it be?': 'pasted' },
    ],
  ])('one question is answered by %s', (_how, act, answers) => {
    const driver = new Driver().say('#ask').run(1500);
    act(driver).run(2000);
    expect(closed(driver)[0]).toMatchObject({ how: 'answered', answers });
    expect(driver.registry).toMatchObject({ status: 'idle', waitingFor: '' });
  });

  it('several characters at once do nothing, and Enter then takes option 1', () => {
    const driver = new Driver().say('#ask').run(1500).type('4my words').key('enter').run(1000);
    expect(closed(driver)[0]).toMatchObject({ answers: { 'Which colour shall it be?': 'Red' } });
  });

  it('several choices are ticked and submitted', () => {
    const driver = new Driver().say('#ask multi').run(1500).type('1').type('3').key('right');
    expect(driver.screen()).toContain('Review your answers');
    driver.key('enter').run(1000);
    expect(closed(driver)[0]).toMatchObject({ answers: { 'Which toppings?': 'Cheese, Basil' } });
  });

  it('two questions end with a review page', () => {
    const driver = new Driver().say('#ask two').run(1500).type('2').type('1');
    expect(driver.screen()).toContain('→ Green');
    driver.type('1').run(1000);
    expect(closed(driver)[0]).toMatchObject({
      answers: { 'Which colour shall it be?': 'Green', 'How large?': 'Small' },
    });
  });

  it('an approval runs the tool, its last entry ends the turn', () => {
    const allowed = new Driver().say('#perm touch x').run(1500).key('enter').run(1000);
    expect(allowed.screen()).toContain('RESULT: (Bash completed with no output)');
    const denied = new Driver().say('#perm touch x').run(1500).type('4').run(1000);
    expect(JSON.stringify(denied.rows)).toContain('[Request interrupted by user for tool use]');
    expect(denied.registry.status).toBe('idle');
  });

  it('a plan takes feedback', () => {
    const driver = new Driver().say('#plan').run(1500).type('3').type('other way').key('enter');
    driver.run(1000);
    expect(closed(driver)[0]).toMatchObject({ how: 'feedback', words: 'other way' });
  });

  it('the trust dialog exits on a blind Enter', () => {
    const driver = new Driver({ isUntrusted: true }).key('enter');
    expect(driver.exitCode).toBe(1);
    const trusted = new Driver({ isUntrusted: true }).key('down', 'enter').run(1000);
    expect(trusted.registry.status).toBe('idle');
  });
});
