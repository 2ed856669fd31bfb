import { describe, expect, it } from 'vitest';
import { comparable } from '../../../../src/provider/claude-code/evidence.ts';
import {
  commandMark,
  withoutPasteMarks,
} from '../../../../src/provider/claude-code/fold-markup.ts';
import { toSendable } from '../../../../src/provider/claude-code/sendable.ts';
import { readAll } from './reading.ts';

const row = (type: string, uuid: string, content: string): string =>
  `{"parentUuid":null,"message":{"id":"m","content":${content}},"type":"${type}","uuid":"${uuid}","timestamp":"2026-11-30T12:00:00Z"}\n`;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const call = (name: string, levels: number): string =>
  `[{"type":"tool_use","id":"t-${name}","name":"${name}","input":{"questions":${nested(levels)}}}]`;
const result = `[{"type":"tool_result","tool_use_id":"t-Bash","content":${nested(50_000)}}]`;

describe('L4: a transcript that means harm is read on', () => {
  it('nesting too deep to be written again is said so, and what comes after is there', () => {
    const file =
      row('assistant', 'a1', call('Bash', 50_000)) +
      row('user', 'u1', result) +
      row('assistant', 'a2', call('AskUserQuestion', 50_000)) +
      row('assistant', 'a3', '[{"type":"text","text":"still here"}]');
    const texts = [...readAll(Buffer.from(file)).items.values()];
    expect(texts.map((item) => item.kind)).toEqual(['tool', 'dialog', 'text']);
  });

  const many = 2_000_000;
  // By a pattern each of these takes the square of its length: minutes to hours with the bridge standing still.
  it.each([
    ['blanks before the end', () => comparable(`a\u00e9${'\n'.repeat(many)}x`)],
    [
      'openings of pasted content',
      () => withoutPasteMarks('<pasted_content id="1">\n'.repeat(many / 20)),
    ],
    [
      'openings of a command',
      () => commandMark(`<command-name>${'<command-args>'.repeat(many / 10)}`),
    ],
    ['A3: blanks in a reply', () => toSendable(`a${' '.repeat(many)}b`, () => 'unknown')],
    ['A3: backslashes in a reply', () => toSendable(`a${'\\'.repeat(many)}b`, () => 'unknown')],
  ])('%s cost no more than their length', (_, work) => {
    expect(work()).toBeDefined();
  });

  it.each([
    ['a wrapper', 'x\n\n<pasted_content id="1">\nin\n</pasted_content>\ny', 'xin' + 'y'],
    [
      'a wrapper that names itself at its end',
      '<pasted_content id="1">\nin\n</pasted_content id="1">',
      'in',
    ],
    [
      'two wrappers',
      '<pasted_content id="1">\na\n</pasted_content>\n<pasted_content id="2">\nb\n</pasted_content>',
      'ab',
    ],
    ['an opening alone', '<pasted_content id="1">\nin', '<pasted_content id="1">\nin'],
    [
      'an opening in a wrapper',
      '<pasted_content id="1">\n<pasted_content id="2">\n\n</pasted_content>',
      '<pasted_content id="2">\n',
    ],
  ])('of %s the text is left', (_, text, left) => {
    expect(withoutPasteMarks(text)).toBe(left);
  });
});
