import { reactionEvent } from './slack-methods-chat.ts';
import type { SlackServer } from './slack-server.ts';
import { showMessage } from './slack-show.ts';
import {
  APP_ID,
  BOT_USER,
  type Json,
  nowOf,
  type SlackMessage,
  SlackRefusal,
  TEAM,
} from './slack-world.ts';

/** Text as a person types it, as Slack hands it on. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export interface PersonSays {
  readonly user: string;
  readonly channel: string;
  /** Absent: right in the channel. */
  readonly thread?: string;
  readonly text: string;
  /** Already in Slack's form, with `<…>` entities. */
  readonly isRaw?: boolean;
  readonly subtype?: string;
  readonly blocks?: readonly Json[];
  readonly files?: readonly {
    readonly name: string;
    readonly content: string;
    readonly mode?: 'snippet' | 'hosted';
    readonly mimetype?: string;
  }[];
}

interface Button {
  readonly label: string;
  readonly block: Json;
  readonly element: Json;
}

/** What people do in Slack. Each act changes the workspace and tells the app. */
export class SlackPeople {
  /** So long an app may take to acknowledge a click, ms. */
  clickWithinMs = 3_000;
  readonly #slack: SlackServer;

  constructor(slack: SlackServer) {
    this.#slack = slack;
  }

  #show(message: SlackMessage): Json {
    return showMessage(this.#slack.world, message, this.#slack.url, false);
  }

  #tell(message: SlackMessage, extra: Json): void {
    const { channel } = message;
    const shared = { channel, channel_type: 'channel' };
    this.#slack.emit({ ...this.#show(message), ...shared, event_ts: message.ts, ...extra });
  }

  /** @returns the message's ts. */
  say(said: PersonSays): string {
    const { world } = this.#slack;
    const files = (said.files ?? []).map(({ name, content, mode = 'hosted', mimetype }) => {
      const id = world.newId('F');
      const type = mimetype ?? 'text/plain';
      const bytes = Buffer.from(content);
      world.files.set(id, { id, name, mimetype: type, mode, content: bytes, user: said.user });
      return id;
    });
    const subtype = said.subtype ?? (files.length > 0 ? 'file_share' : undefined);
    const message = world.store({
      channel: said.channel,
      user: said.user,
      versions: [{ text: said.isRaw ? said.text : escaped(said.text), blocks: said.blocks ?? [] }],
      files,
      ...(said.thread !== undefined && { threadTs: said.thread }),
      ...(subtype !== undefined && { subtype }),
    });
    this.#tell(message, { client_msg_id: world.newId('client') });
    if (nowOf(message).text.includes(`<@${BOT_USER}>`))
      this.#tell(message, { type: 'app_mention' });
    return message.ts;
  }

  /** Another app's bot, or a webhook, writes. */
  sayAsBot(said: { channel: string; thread?: string; text: string; isWebhook?: boolean }): string {
    const { world } = this.#slack;
    const message = world.store({
      channel: said.channel,
      botId: 'B0OTHER',
      ...(said.isWebhook !== true && { user: 'U0OTHERBOT' }),
      subtype: 'bot_message',
      versions: [{ text: said.text, blocks: [] }],
      ...(said.thread !== undefined && { threadTs: said.thread }),
    });
    this.#tell(message, { app_id: 'A0OTHER' });
    return message.ts;
  }

  #message(channel: string, ts: string): SlackMessage {
    const found = this.#slack.world.message(channel, ts);
    if (found === undefined) throw new SlackRefusal('message_not_found');
    return found;
  }

  #changed(message: SlackMessage, before: Json): void {
    const ts = this.#slack.world.newTs();
    this.#slack.emit({
      type: 'message',
      subtype: 'message_changed',
      channel: message.channel,
      channel_type: 'channel',
      hidden: true,
      ts,
      event_ts: ts,
      message: this.#show(message),
      previous_message: before,
    });
  }

  edit(channel: string, ts: string, text: string): void {
    const message = this.#message(channel, ts);
    const before = this.#show(message);
    message.versions.push({ text: escaped(text), blocks: [] });
    message.editedTs = this.#slack.world.newTs();
    this.#changed(message, before);
  }

  /** Slack adds a card to a person's message: it changes, its text does not. */
  unfurl(channel: string, ts: string): void {
    const message = this.#message(channel, ts);
    this.#changed(message, this.#show(message));
  }

  delete(channel: string, ts: string): void {
    const message = this.#message(channel, ts);
    const previous = this.#show(message);
    this.#slack.world.remove(message);
    const at = this.#slack.world.newTs();
    this.#slack.emit({
      type: 'message',
      subtype: 'message_deleted',
      channel,
      deleted_ts: ts,
      hidden: true,
      ts: at,
      event_ts: at,
      previous_message: previous,
    });
  }

  react(user: string, channel: string, ts: string, name: string): void {
    const message = this.#message(channel, ts);
    const users = message.reactions.get(name) ?? new Set();
    message.reactions.set(name, users.add(user));
    this.#slack.emit(reactionEvent('reaction_added', message, name, user, this.#slack.world));
  }

  unreact(user: string, channel: string, ts: string, name: string): void {
    const message = this.#message(channel, ts);
    message.reactions.get(name)?.delete(user);
    this.#slack.emit(reactionEvent('reaction_removed', message, name, user, this.#slack.world));
  }

  /** What can be pressed on a message now. */
  buttons(channel: string, ts: string): readonly Button[] {
    return nowOf(this.#message(channel, ts)).blocks.flatMap((block) =>
      ((block['elements'] ?? []) as readonly Json[])
        .filter((element) => element['type'] === 'button')
        .map((element) => ({ label: String((element['text'] as Json)['text']), block, element })),
    );
  }

  #interactive(payload: Json): Promise<Json> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('operation_timeout')), this.clickWithinMs);
      const isTaken = this.#slack.sockets.interactive(payload, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      if (isTaken) return;
      clearTimeout(timer);
      reject(new Error('nobody is listening'));
    });
  }

  /**
   * Presses a button; `chosen` is what stands in the message's multi-select.
   * Rejects with what the person sees when the app does not answer in time.
   */
  click(
    user: string,
    channel: string,
    ts: string,
    label: string,
    chosen: readonly string[] = [],
  ): Promise<Json> {
    const { world } = this.#slack;
    const message = this.#message(channel, ts);
    const button = this.buttons(channel, ts).find((b) => b.label === label);
    if (button === undefined) throw new Error(`no button ${label}`);
    const trigger = world.newId('trigger');
    world.triggers.set(trigger, Date.now() + 3_000);
    const selects = nowOf(message).blocks.filter((b) => b['accessory'] !== undefined);
    const values = Object.fromEntries(
      selects.map((block) => {
        const accessory = block['accessory'] as Json;
        const options = (accessory['options'] as readonly Json[]).filter((o) =>
          chosen.includes(String((o['text'] as Json)['text'])),
        );
        const state = { type: 'multi_static_select', selected_options: options };
        return [block['block_id'], { [String(accessory['action_id'])]: state }];
      }),
    );
    const threadTs = message.threadTs;
    return this.#interactive({
      type: 'block_actions',
      user: { id: user, team_id: world.users.get(user)?.teamId ?? TEAM },
      api_app_id: APP_ID,
      team: { id: TEAM, domain: 'team' },
      container: {
        type: 'message',
        message_ts: ts,
        channel_id: channel,
        is_ephemeral: false,
        ...(threadTs !== undefined && { thread_ts: threadTs }),
      },
      channel: { id: channel, name: 'agents' },
      message: this.#show(message),
      state: { values },
      trigger_id: trigger,
      response_url: `${this.#slack.url}respond`,
      actions: [
        {
          type: 'button',
          action_id: button.element['action_id'],
          block_id: button.block['block_id'],
          value: button.element['value'],
          text: button.element['text'],
          action_ts: world.newTs(),
        },
      ],
    });
  }

  /** Sends a modal off with one text. */
  submit(user: string, viewId: string, text: string): Promise<Json> {
    const view = this.#slack.world.views.get(viewId);
    if (view === undefined) throw new Error(`no view ${viewId}`);
    const [input] = view['blocks'] as readonly Json[];
    const action = String(((input?.['element'] ?? {}) as Json)['action_id']);
    const state = { [action]: { type: 'plain_text_input', value: text } };
    return this.#interactive({
      type: 'view_submission',
      team: { id: TEAM, domain: 'team' },
      user: { id: user, team_id: TEAM },
      api_app_id: APP_ID,
      trigger_id: this.#slack.world.newId('trigger'),
      view: { ...view, state: { values: { [String(input?.['block_id'])]: state } } },
    });
  }

  archive(channel: string): void {
    const found = this.#slack.world.channel(channel);
    found.isArchived = true;
    const event_ts = this.#slack.world.newTs();
    this.#slack.emit({ type: 'channel_archive', channel, user: 'U0ALICE', event_ts });
  }

  unarchive(channel: string): void {
    this.#slack.world.channel(channel).isArchived = false;
    const event_ts = this.#slack.world.newTs();
    this.#slack.emit({ type: 'channel_unarchive', channel, user: 'U0ALICE', event_ts });
  }

  lock(channel: string, root: string): void {
    this.#message(channel, root).isLocked = true;
  }

  kick(channel: string): void {
    this.#slack.world.channel(channel).members.delete(BOT_USER);
    this.#slack.emit({ type: 'channel_left', channel, event_ts: this.#slack.world.newTs() });
  }

  invite(channel: string): void {
    this.#slack.world.channel(channel).members.add(BOT_USER);
    const event_ts = this.#slack.world.newTs();
    this.#slack.emit({ type: 'member_joined_channel', user: BOT_USER, channel, event_ts });
  }

  /** The bot token is taken back; sockets stay for a while, as they do. */
  revoke(): void {
    this.#slack.emit({ type: 'tokens_revoked', tokens: { oauth: [], bot: [BOT_USER] } });
    this.#slack.botTokens.clear();
  }
}
