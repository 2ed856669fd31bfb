import type { HostCommand, ReadRequest, ReadResponse } from '../model/commands.ts';
import type { DeliveryOutcome } from '../model/delivery.ts';
import type { Envelope, HostEvent } from '../model/events.ts';

/** Host → chat. Resolves when the chat side has committed; only then may the host move a cursor. */
export interface HostLink {
  publish(event: Envelope<HostEvent>): Promise<void>;
}

/** Chat → host. */
export interface ChatLink {
  /** One outcome by the command's deadline; the same delivery again is never typed twice. */
  command(command: Envelope<HostCommand>): Promise<DeliveryOutcome>;
  read(request: ReadRequest): Promise<ReadResponse>;
}

/** What each side gives the link to call. */
export type PublishSink = (event: Envelope<HostEvent>) => Promise<void>;
export interface HostSide {
  command(command: Envelope<HostCommand>): Promise<DeliveryOutcome>;
  read(request: ReadRequest): Promise<ReadResponse>;
}
