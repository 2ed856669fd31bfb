import { setTimeout as sleep } from 'node:timers/promises';
import type { Interaction } from './discord-interactions.ts';
import type { FakeComponent, FakeMessage } from './discord-model.ts';
import { attach } from './discord-routes.ts';
import type { DiscordServer } from './discord-server.ts';
import { ids } from './discord-world.ts';

/** What people, moderators and the operator do on the other side. */
export class DiscordPeople {
  readonly #server: DiscordServer;

  constructor(server: DiscordServer) {
    this.#server = server;
  }

  /** @param by id of a person; default Alice. */
  say(
    channel: string,
    text: string,
    more: { by?: string; replyTo?: string; type?: number; webhook?: string; at?: number } = {},
  ): FakeMessage {
    const { world } = this.#server;
    return world.add(
      {
        channel_id: channel,
        author: this.#user(more.by),
        content: text,
        ...(more.type !== undefined && { type: more.type }),
        ...(more.webhook !== undefined && { webhook_id: more.webhook }),
        ...(more.replyTo !== undefined && {
          reference: { message_id: more.replyTo, channel_id: channel },
        }),
      },
      more.at,
    );
  }

  /** As the client does with a text beyond 2,000 characters. */
  sayLong(channel: string, text: string, filename = 'message.txt'): FakeMessage {
    const { world, cdn } = this.#server;
    const size = Buffer.byteLength(text);
    const file = attach(
      { world, cdn },
      { filename, text, size, type: 'text/plain; charset=utf-8' },
    );
    return world.add({ channel_id: channel, author: this.#user(), attachments: [file] });
  }

  edit(message: FakeMessage, text: string): void {
    message.content = text;
    message.history.push(text);
    message.editedAt = Date.now();
    this.#server.world.tell('MESSAGE_UPDATE', message);
  }

  /** A link got its card: looks like an edit and is none. */
  unfurl(message: FakeMessage): void {
    message.embeds.push({ type: 'link', url: 'https://example.invalid' });
    this.#server.world.tell('MESSAGE_UPDATE', message);
  }

  delete(message: FakeMessage): void {
    message.isDeleted = true;
    this.#server.world.onDispatch({
      t: 'MESSAGE_DELETE',
      d: { id: message.id, channel_id: message.channel_id, guild_id: ids.guild },
    });
  }

  react(message: FakeMessage, name: string, by: string = ids.alice): void {
    const member = this.#server.world.members.get(by);
    this.#server.world.onDispatch({
      t: 'MESSAGE_REACTION_ADD',
      d: {
        user_id: by,
        channel_id: message.channel_id,
        message_id: message.id,
        guild_id: ids.guild,
        emoji: { id: null, name },
        member: { user: member?.user, roles: member?.roles ?? [], nick: null },
        type: 0,
        burst: false,
      },
    });
  }

  components(message: FakeMessage): readonly FakeComponent[] {
    return message.components.flatMap((row) => row.components ?? []);
  }

  /** Clicks the button with that label and waits for what the bot says to it. */
  async click(message: FakeMessage, label: string, by: string = ids.alice): Promise<Interaction> {
    const button = this.components(message).find((c) => c.label === label && c.disabled !== true);
    if (button === undefined) throw new Error(`no button ${label}`);
    return this.#act(message, by, { component_type: 2, custom_id: button.custom_id }, 3);
  }

  async choose(
    message: FakeMessage,
    values: readonly string[],
    by: string = ids.alice,
  ): Promise<Interaction> {
    const select = this.components(message).find((c) => c.type === 3);
    if (select === undefined) throw new Error('nothing to choose from');
    return this.#act(message, by, { component_type: 3, custom_id: select.custom_id, values }, 3);
  }

  /** Fills in the modal that an interaction opened. */
  async submit(opened: Interaction, text: string, by: string = ids.alice): Promise<Interaction> {
    const { modal } = opened;
    if (modal === undefined) throw new Error('no modal is open');
    const components = modal.components.map((row) => ({
      type: row.type,
      component: { type: 4, custom_id: row.component?.custom_id, value: text },
    }));
    return this.#act(opened.message, by, { custom_id: modal.custom_id, components }, 5);
  }

  archive(thread: string, isLocked = false): void {
    const channel = this.#server.world.channels.get(thread);
    if (channel === undefined) throw new Error(`no thread ${thread}`);
    channel.archived = true;
    channel.locked = isLocked;
    this.#server.world.changeThread(channel);
  }

  deleteChannel(id: string): void {
    const { world } = this.#server;
    world.channels.delete(id);
    world.onDispatch({ t: 'THREAD_DELETE', d: { id, guild_id: ids.guild, type: 11 } });
  }

  kickBot(): void {
    const { world } = this.#server;
    world.isKicked = true;
    world.onDispatch({ t: 'GUILD_DELETE', d: { id: ids.guild } });
  }

  inviteBot(): void {
    const { world } = this.#server;
    world.isKicked = false;
    world.onDispatch({ t: 'GUILD_CREATE', d: world.guildOnWire() });
  }

  unlock(thread: string): void {
    const channel = this.#server.world.channels.get(thread);
    if (channel === undefined) throw new Error(`no thread ${thread}`);
    channel.archived = false;
    channel.locked = false;
    this.#server.world.changeThread(channel);
  }

  #user(by: string = ids.alice) {
    const found = this.#server.world.members.get(by);
    if (found === undefined) throw new Error(`nobody is ${by}`);
    return found.user;
  }

  async #act(message: FakeMessage, by: string, data: object, type: 3 | 5): Promise<Interaction> {
    const { interactions } = this.#server;
    const made = interactions.begin(message, by, data, type);
    const until = Date.now() + interactions.ackWithinMs;
    while (made.response === undefined && Date.now() < until) await sleep(5);
    return made;
  }
}
