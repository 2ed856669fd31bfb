import { z } from 'zod';
import type { Packet } from './gateway-endings.ts';

const guildShape = z.object({ id: z.string(), unavailable: z.boolean().optional() });
const readyShape = z.object({ guilds: z.array(guildShape) });

const goneWords =
  'The bot was removed from its Discord server: invite it again with the link of `afk-bridge init`.';
const awayWords = 'The Discord server is not available at the moment; Discord says so itself.';

/** Knows which guilds are away: nothing of them is heard, though the connection lives. */
export class GuildWatch {
  readonly #away = new Map<string, 'removed' | 'unavailable'>();

  /** @returns true: a guild that was away is back, and what was said there meanwhile was not heard. */
  isBack({ t, d }: Packet): boolean {
    if (t === 'READY') {
      const ready = readyShape.safeParse(d);
      for (const guild of ready.success ? ready.data.guilds : []) this.#away.delete(guild.id);
      return false;
    }
    if (t !== 'GUILD_CREATE' && t !== 'GUILD_DELETE') return false;
    const guild = guildShape.safeParse(d);
    if (!guild.success) return false;
    if (t === 'GUILD_CREATE') return this.#away.delete(guild.data.id);
    this.#away.set(guild.data.id, guild.data.unavailable === true ? 'unavailable' : 'removed');
    return false;
  }

  /** A sentence for the operator; undefined: all is well. */
  trouble(): string | undefined {
    const why = [...this.#away.values()];
    if (why.includes('removed')) return goneWords;
    return why.length > 0 ? awayWords : undefined;
  }
}
