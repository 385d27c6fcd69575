import type { SocketEvent } from '../../ground/records/socket-events.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import type { ReadyServer } from '../measuring.ts';

/** What a server tells of its connections, each once it is closed. */
export interface ServerEvents {
  /** What happened at the server to the connection that was asked for then, by the machine's monotonic clock; null: not told in time. */
  eventsSince(
    askedMs: number,
    limit: { limitMs: number; signal?: AbortSignal },
  ): Promise<SocketEvent[] | null>;
  close(): void;
}

/** Listens to what a server prints: a line of JSON with the events of a connection. */
export function collectServerEvents({ follow }: Pick<ReadyServer, 'follow'>): ServerEvents {
  const kept: SocketEvent[][] = [];
  let pending: { askedMs: number; resolve(events: SocketEvent[]): void } | null = null;
  const deliver = () => {
    // The clock is the same at both ends: what began before was another connection, given up by then.
    const found = kept.find((events) => sessionStartMs(events) >= (pending?.askedMs ?? 0));
    if (pending === null || found === undefined) return;
    pending.resolve(found);
    pending = null;
    kept.length = 0;
  };
  const close = follow((line) => {
    const { events } = JSON.parse(line) as { events?: SocketEvent[] };
    if (events === undefined) return;
    kept.push(events);
    deliver();
  });
  return {
    eventsSince(askedMs, { limitMs, signal }) {
      const { promise, resolve } = Promise.withResolvers<SocketEvent[]>();
      pending = { askedMs, resolve };
      deliver();
      return withDeadline(promise, limitMs, () => null, signal);
    },
    close,
  };
}

/** When the connection of these events began at the server. */
function sessionStartMs(events: readonly SocketEvent[]): number {
  return events.find(({ event }) => event === 'session')?.atMs ?? Number.NEGATIVE_INFINITY;
}
