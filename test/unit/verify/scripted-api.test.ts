import { afterEach, describe, expect, it } from 'vitest';
import { acknowledge } from '../../../src/verify/reply-script.ts';
import { type ScriptedApi, startScriptedApi } from '../../../src/verify/scripted-api.ts';

type Message = { role: string; content: unknown };
const user = (...texts: string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const assistant = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});
const result = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content: text, is_error: false }],
});

describe('the scripted API', () => {
  let api: ScriptedApi | undefined;
  afterEach(() => api?.close());

  const post = async (messages: Message[], more: object = {}, signal?: AbortSignal) =>
    fetch(`${api?.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-claude-code-session-id': 's1' },
      body: JSON.stringify({ model: 'm', messages, tools: [{ name: 'Bash' }], ...more }),
      ...(signal === undefined ? {} : { signal }),
    });
  const say = async (messages: Message[], more: object = {}) =>
    ((await (await post(messages, more)).json()) as { content: Record<string, unknown>[] })
      .content[0];

  it('acknowledges any text with its length and hash, and records it exactly', async () => {
    api = await startScriptedApi();
    const block = await say([user('<system-reminder>noise</system-reminder>', 'hi ünï')]);
    expect(block?.text).toBe(acknowledge('hi ünï'));
    expect(api.texts()).toEqual(['hi ünï']);
  });

  it('takes one step of a script per request, then repeats the results', async () => {
    api = await startScriptedApi();
    const script = user('#bash ls\n#say over');
    expect(await say([script])).toMatchObject({ type: 'tool_use', input: { command: 'ls' } });
    const after = [script, assistant('x'), result('file')];
    expect((await say(after))?.text).toBe('over');
    const single = [user('#bash ls'), assistant('x'), result('file')];
    expect((await say(single))?.text).toBe('RESULT: file');
  });

  it('records only what a request adds to the one before it', async () => {
    api = await startScriptedApi();
    await say([user('one')]);
    await say([user('one'), assistant('a'), user('two\n', 'three')]);
    await say([user('one'), assistant('a'), user('two\n', 'three'), assistant('b'), result('r')]);
    expect(api.received().map((turn) => turn.texts)).toEqual([['one'], ['two', 'three']]);
  });

  it('unwraps a message that was taken in mid-turn', async () => {
    api = await startScriptedApi();
    const wrapped =
      'The user sent a new message while you were working:\nmid\nturn\n\nThis is how Claude Code surfaces messages the user sends mid-turn';
    await say([user('one')]);
    await say([user('one'), assistant('a'), result('r'), user(wrapped)]);
    expect(api.texts()).toEqual(['one', 'mid\nturn']);
  });

  it('counts a retry after an error once, and a repetition after an abort twice', async () => {
    api = await startScriptedApi();
    const script = [user('#error 529 2')];
    expect((await post(script)).status).toBe(529);
    expect((await post(script)).status).toBe(529);
    expect((await post(script)).status).toBe(200);
    expect(api.received()).toMatchObject([{ texts: ['#error 529 2'], tries: 2 }]);

    const hang = [...script, assistant('ACK'), user('#hang')];
    for (const round of [1, 2]) {
      const gone = new AbortController();
      const request = post(hang, {}, gone.signal).catch(() => 'aborted');
      await expect.poll(() => api?.openReplies()).toBe(1);
      gone.abort();
      expect(await request).toBe('aborted');
      await expect.poll(() => api?.openReplies()).toBe(0);
      expect(api.texts().filter((text) => text === '#hang')).toHaveLength(round);
    }
  });

  it('streams the events of a message, and side calls leave no turn', async () => {
    api = await startScriptedApi();
    const text = await (await post([user('#thinking why')], { stream: true })).text();
    const types = [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]);
    expect(types[0]).toBe('message_start');
    expect(types.at(-1)).toBe('message_stop');
    expect(text).toContain('"thinking_delta"');
    await post([user('title please')], { tools: [] });
    expect(api.texts()).toEqual(['#thinking why']);
  });

  it('waits for a text to its deadline and says what came instead', async () => {
    api = await startScriptedApi();
    const waiting = api.waitForText('later');
    await say([user('later')]);
    expect((await waiting).texts).toEqual(['later']);
    await expect(api.waitForText('never', 20)).rejects.toThrow(/received: \[\["later"\]\]/);
  });

  it('close ends streams that are open', async () => {
    const closing = await startScriptedApi();
    api = closing;
    const reading = post([user('#slow 60')], { stream: true }).then((response) => response.text());
    await expect.poll(() => closing.openReplies()).toBe(1);
    await closing.close();
    api = undefined;
    await expect(reading).rejects.toThrow();
  });
});
