import { type EventLog, eventLog } from '../../../ground/records/event-log.ts';
import { monotonicMs } from '../../../ground/system/monotonic-clock.ts';

/** Time on the monotonic clock when the server began to listen; null: not yet. */
let listeningMs: number | null = null;

export function markListening(): void {
  listeningMs = monotonicMs();
}

export function connectionLog(): EventLog {
  return eventLog(
    monotonicMs,
    listeningMs === null ? [] : [{ event: 'listening', message: null, atMs: listeningMs }],
  );
}

/** Prints the events of a connection as a line of JSON; called after the close, so that printing delays no event. */
export function printEvents({ events }: EventLog): void {
  process.stdout.write(`${JSON.stringify({ events })}\n`);
}
