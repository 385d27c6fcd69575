import { createEventReader } from '../../clients/chromium/net-log/events.ts';
import type { NetLogConnections } from './connection.ts';
import type { ObservedConnection } from './observed.ts';
import { watchQuicSessions } from './quic-sessions.ts';
import { watchTcpConnections } from './tcp-connections.ts';

/**
 * Finds the connections of a load that began at a moment; everything before belongs to an earlier
 * load. They are in the order of their handshakes: only a handshake that began earlier can have
 * brought the ticket for another.
 * @param lines of a NetLog in JSON, captured in the mode Default or a wider one: the leaner one
 * lacks the necessary events.
 * @throws Error when they are no lines of a NetLog.
 */
export async function connectionsOf(
  lines: AsyncIterable<string> | Iterable<string>,
  sinceMs: number,
): Promise<NetLogConnections> {
  const reader = createEventReader();
  const watchers = [watchTcpConnections(), watchQuicSessions()];
  for await (const line of lines) {
    const event = reader.read(line);
    if (event !== null) for (const watcher of watchers) watcher.take(event);
  }
  if (!reader.started) {
    throw new Error('expected a NetLog in JSON that begins with its constants, got something else');
  }
  // Event times are whole ms: one of the same ms as the moment counts as after it.
  const since = Math.floor(sinceMs);
  const observed = watchers
    .flatMap((watcher) => watcher.observed())
    .sort((a, b) => orderMs(a) - orderMs(b));
  return {
    opened: observed.filter(({ beganMs }) => beganMs >= since).map(({ connection }) => connection),
    reused: observed
      .filter(({ beganMs, lastRequestMs }) => beganMs < since && (lastRequestMs ?? 0) >= since)
      .map(({ connection }) => connection),
    whole: reader.ended && reader.damagedLines === 0,
  };
}

function orderMs({ handshakeBeganMs, beganMs }: ObservedConnection): number {
  return handshakeBeganMs ?? beganMs;
}
