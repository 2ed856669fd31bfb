import { DiscordFault, type FakeMessage, type FakeModal } from './discord-model.ts';
import { post, type Route } from './discord-routes.ts';
import { checkMessage, checkModal, type MessageBody } from './discord-validate.ts';
import { memberOnWire } from './discord-wire.ts';
import { type DiscordWorld, ids } from './discord-world.ts';

/** One click or one modal of a person, and what the bot said to it. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly message: FakeMessage;
  readonly user: string;
  readonly at: number;
  /** Type of the first response: 4 message, 6 nothing, 9 modal. Undefined: "This interaction failed". */
  response: number | undefined;
  modal: FakeModal | undefined;
  readonly whispers: string[];
}

export class Interactions {
  readonly all: Interaction[] = [];
  readonly #world: DiscordWorld;
  /** How long the first response may take, ms. */
  ackWithinMs = 3_000;

  constructor(world: DiscordWorld) {
    this.#world = world;
  }

  /** A person acts on a component of a message, or submits a modal. */
  begin(message: FakeMessage, userId: string, data: object, type: 3 | 5): Interaction {
    const world = this.#world;
    const member = world.members.get(userId);
    if (member === undefined) throw new Error(`nobody is ${userId}`);
    const id = world.newId();
    const made: Interaction = {
      id,
      token: `token-${id}`,
      message,
      user: userId,
      at: Date.now(),
      response: undefined,
      modal: undefined,
      whispers: [],
    };
    this.all.push(made);
    world.onDispatch({
      t: 'INTERACTION_CREATE',
      d: {
        id,
        application_id: world.bot.id,
        type,
        token: made.token,
        version: 1,
        guild_id: ids.guild,
        channel_id: message.channel_id,
        channel: { id: message.channel_id, type: 11, name: 'thread' },
        member: { ...memberOnWire(member), permissions: '0' },
        message: world.onWire(message),
        locale: 'en-GB',
        entitlements: [],
        authorizing_integration_owners: {},
        context: 0,
        attachment_size_limit: 10_485_760,
        data,
      },
    });
    return made;
  }

  #find(token: string): Interaction {
    const found = this.all.find((i) => i.token === token);
    if (found === undefined) throw new DiscordFault(404, 10015, 'Unknown Webhook');
    return found;
  }

  readonly routes: readonly Route[] = [
    [
      /^POST \/interactions\/(\d+)\/([\w-]+)\/callback$/,
      ({ params, body }) => {
        const interaction = this.all.find((i) => i.id === params[0]);
        if (interaction === undefined || Date.now() - interaction.at > this.ackWithinMs)
          throw new DiscordFault(404, 10062, 'Unknown interaction');
        if (interaction.response !== undefined)
          throw new DiscordFault(400, 40060, 'Interaction has already been acknowledged.');
        const { type, data } = body as { type: number; data?: MessageBody & FakeModal };
        if (type === 9 && data !== undefined) {
          checkModal(data);
          interaction.modal = data;
        }
        if (type === 4 && data !== undefined) {
          checkMessage(data, [], { content: '', files: 0, rows: 0 });
          interaction.whispers.push(data.content ?? '');
        }
        interaction.response = type;
        return undefined;
      },
    ],
    [
      /^POST \/webhooks\/(\d+)\/([\w-]+)$/,
      (call) => {
        const interaction = this.#find(call.params[1] ?? '');
        if (interaction.response === undefined)
          throw new DiscordFault(404, 10015, 'Unknown Webhook');
        const body = call.body as MessageBody;
        if (body.enforce_nonce !== undefined)
          throw new DiscordFault(400, 50035, 'Invalid Form Body', { enforce_nonce: 'not here' });
        if (((body.flags ?? 0) & 64) === 0)
          return call.world.onWire(post(call, interaction.message.channel_id));
        checkMessage(body, [], { content: '', files: 0, rows: 0 });
        interaction.whispers.push(body.content ?? '');
        return { id: call.world.newId(), content: body.content };
      },
    ],
  ];
}
