import type { Observation } from '../../ground/records/observation.ts';
import type { SocketDetails, SocketEventName } from '../../ground/records/socket-events.ts';
import { median } from '../../statistics/median.ts';

/** An event at one end, at its median time. */
export interface LaneEvent {
  event: SocketEventName;
  message: number | null;
  atMs: number;
  exchanges: number;
}

/** Events of one end, over the exchanges of an arm under a condition. */
export interface Lane {
  end: 'client' | 'server';
  /** In the order of time. */
  events: LaneEvent[];
}

/** Lanes of both ends, without events before the request for the connection. */
export function lanesOf(exchanges: readonly Pick<Observation, 'details'>[]): Lane[] {
  const details = exchanges.flatMap((each) => (each.details as SocketDetails | null) ?? []);
  return (['client', 'server'] as const).map((end) => {
    const events = details.flatMap((each) => each[end] ?? []).filter(({ atMs }) => atMs >= 0);
    const alike = Map.groupBy(events, ({ event, message }) => `${event} ${message}`);
    const medians = [...alike.values()].flatMap((own): LaneEvent[] => {
      const [first] = own;
      const atMs = median(own.map((each) => each.atMs));
      if (first === undefined || atMs === null) return [];
      const { event, message } = first;
      return [{ event, message, atMs, exchanges: own.length }];
    });
    return { end, events: medians.sort((a, b) => a.atMs - b.atMs) };
  });
}
