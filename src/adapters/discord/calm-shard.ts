import { SimpleShardingStrategy } from 'discord.js';

type Act = (...args: unknown[]) => Promise<unknown>;
interface Shard {
  destroy: Act;
  send: Act;
}

export interface CalmOptions {
  readonly manager: ConstructorParameters<typeof SimpleShardingStrategy>[0];
  readonly onError: (error: unknown) => void;
}

/**
 * The SDK's own strategy, whose shards end nothing but themselves. Observed with @discordjs/ws of
 * discord.js 14.28.1: two reasons to reconnect within its pause of 500 ms ("Tried to connect a shard
 * that wasn't idle"), and a beat on a socket that has just gone, reject inside promises that nobody
 * waits for; Node then ends the process. Kept alive instead, such a shard stays deaf for good: whoever
 * hears of it has to begin anew.
 */
export class CalmShardingStrategy extends SimpleShardingStrategy {
  readonly #onError: (error: unknown) => void;

  constructor({ manager, onError }: CalmOptions) {
    super(manager);
    this.#onError = onError;
  }

  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    const shards: unknown = Reflect.get(this, 'shards');
    if (!(shards instanceof Map)) throw new Error('discord.js keeps its shards elsewhere now');
    for (const shard of shards.values() as Iterable<Shard>) {
      shard.destroy = this.#calm(shard.destroy.bind(shard));
      shard.send = this.#calm(shard.send.bind(shard));
    }
  }

  #calm(act: Act): Act {
    return async (...args) => {
      try {
        return await act(...args);
      } catch (error) {
        this.#onError(error);
        return undefined;
      }
    };
  }
}
