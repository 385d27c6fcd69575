import { type EventLog, eventLog } from '../../../ground/records/event-log.ts';
import { monotonicMs } from '../../../ground/system/monotonic-clock.ts';

/** When the address of this program began to listen; null: not yet. */
let listeningMs: number | null = null;

/** To be called when it listens. */
export function markListening(): void {
  listeningMs = monotonicMs();
}

/** What happens to a connection from now on. */
export function connectionLog(): EventLog {
  return eventLog(
    monotonicMs,
    listeningMs === null ? [] : [{ event: 'listening', message: null, atMs: listeningMs }],
  );
}

/** Prints what happened to a connection, a line of JSON; once it is closed, so that it costs no connection any time. */
export function printEvents({ events }: EventLog): void {
  process.stdout.write(`${JSON.stringify({ events })}\n`);
}
