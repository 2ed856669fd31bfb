import { z } from 'zod';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { Packet } from './gateway-endings.ts';
import type { Places } from './places.ts';

const channelShape = z.object({
  id: z.string(),
  type: z.number(),
  name: z.string().nullish(),
  guild_id: z.string().optional(),
  parent_id: z.string().nullish(),
  flags: z.number().optional(),
  available_tags: z
    .array(z.object({ id: z.string(), name: z.string(), moderated: z.boolean() }))
    .optional(),
});
const roleShape = z.object({ id: z.string(), name: z.string() });
const guildShape = z.object({
  id: z.string(),
  channels: z.array(channelShape).default([]),
  threads: z.array(channelShape).default([]),
  roles: z.array(roleShape).default([]),
});
const roleEventShape = z.object({ role: roleShape });

/** Names of channels and roles, as the Gateway told them. */
export class NameBook {
  readonly #channels = new BoundedMap<string>(5_000);
  readonly #roles = new BoundedMap<string>(5_000);
  readonly lookups = {
    channel: (id: string) => this.#channels.get(id),
    role: (id: string) => this.#roles.get(id),
  };

  learn({ t, d }: Packet, places: Places): void {
    switch (t) {
      case 'GUILD_CREATE': {
        const guild = guildShape.safeParse(d);
        if (!guild.success) return;
        for (const role of guild.data.roles) this.#roles.set(role.id, role.name);
        for (const channel of [...guild.data.channels, ...guild.data.threads])
          this.#channel({ ...channel, guild_id: guild.data.id }, places);
        return;
      }
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE':
      case 'THREAD_CREATE':
      case 'THREAD_UPDATE': {
        const channel = channelShape.safeParse(d);
        if (channel.success) this.#channel(channel.data, places);
        return;
      }
      case 'GUILD_ROLE_CREATE':
      case 'GUILD_ROLE_UPDATE': {
        const event = roleEventShape.safeParse(d);
        if (event.success) this.#roles.set(event.data.role.id, event.data.role.name);
      }
    }
  }

  #channel(channel: z.output<typeof channelShape>, places: Places): void {
    if (channel.name !== undefined && channel.name !== null)
      this.#channels.set(channel.id, channel.name);
    places.learn(channel);
  }
}
