import { type EventLog, eventLog } from '../../../ground/records/event-log.ts';
import { monotonicMs } from '../../../ground/system/monotonic-clock.ts';

/** null: not listening yet. */
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

/** Prints the events of a connection as a line of JSON. Call it after the close, to delay no connection. */
export function printEvents({ events }: EventLog): void {
  process.stdout.write(`${JSON.stringify({ events })}\n`);
}
