import type { HostCommand, ReadRequest, ReadResponse } from '../model/commands.ts';
import type { DeliveryOutcome } from '../model/delivery.ts';
import type { Envelope, HostEvent } from '../model/events.ts';
import type { ChatLink, HostLink, HostSide, PublishSink } from '../ports/link.ts';

/**
 * The road between host and chat inside one process: three typed calls, no queue, no table.
 * Everything that crosses is copied as JSON, as it would be on a wire: neither side can hand the
 * other something that only works in one process.
 */
export class LocalLink implements HostLink, ChatLink {
  #sink: PublishSink | undefined;
  #host: HostSide | undefined;

  /** The chat side's end: called for every event, resolves when it has committed. */
  onPublish(sink: PublishSink): void {
    this.#sink = sink;
  }

  /** The host side's end. */
  onCommand(host: HostSide): void {
    this.#host = host;
  }

  async publish(event: Envelope<HostEvent>): Promise<void> {
    if (this.#sink === undefined) throw new Error('the chat side is not connected');
    await this.#sink(overTheWire(event));
  }

  async command(command: Envelope<HostCommand>): Promise<DeliveryOutcome> {
    return overTheWire(await this.#connectedHost().command(overTheWire(command)));
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    return overTheWire(await this.#connectedHost().read(overTheWire(request)));
  }

  #connectedHost(): HostSide {
    if (this.#host === undefined) throw new Error('the host side is not connected');
    return this.#host;
  }
}

const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
