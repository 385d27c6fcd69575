import type { SocketEvent } from '../../ground/records/socket-events.ts';
import { withDeadline } from '../../ground/system/deadline.ts';
import type { ReadyServer } from '../measuring.ts';

/** Events of a server's connections, each available after it is closed. */
export interface ServerEvents {
  /** Events of the connection requested at a time of the monotonic clock; null: not reported in time. */
  eventsSince(
    askedMs: number,
    limit: { limitMs: number; signal?: AbortSignal },
  ): Promise<SocketEvent[] | null>;
  close(): void;
}

/** Reads the server's output: a line of JSON with the events of each connection. */
export function collectServerEvents({ follow }: Pick<ReadyServer, 'follow'>): ServerEvents {
  const kept: SocketEvent[][] = [];
  let pending: { askedMs: number; resolve(events: SocketEvent[]): void } | null = null;
  const deliver = () => {
    // Both ends have the same clock: an earlier start belongs to an earlier connection.
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

function sessionStartMs(events: readonly SocketEvent[]): number {
  return events.find(({ event }) => event === 'session')?.atMs ?? Number.NEGATIVE_INFINITY;
}
