import type { SocketEvent, SocketEventName } from './socket-events.ts';

/** What happened at one end of a connection so far. */
export interface EventLog {
  readonly events: readonly SocketEvent[];
  /** Notes that something happens now, unless it has happened before. */
  mark(event: SocketEventName, message?: number | null): void;
}

/** A log by a clock, which begins with what happened before. */
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
