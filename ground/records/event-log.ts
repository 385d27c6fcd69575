import type { SocketEvent, SocketEventName } from './socket-events.ts';

/** Events at one end of a connection. */
export interface EventLog {
  readonly events: readonly SocketEvent[];
  /** Records an event at its first occurrence. */
  mark(event: SocketEventName, message?: number | null): void;
}

/** Creates a log that starts with earlier events. */
export function eventLog(clockMs: () => number, before: readonly SocketEvent[] = []): EventLog {
  const events = [...before];
  return {
    events,
    mark(event, message = null) {
      const atMs = clockMs();
      if (events.some((each) => each.event === event && each.message === message)) return;
      events.push({ event, message, atMs });
    },
  };
}
