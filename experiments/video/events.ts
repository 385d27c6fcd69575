import type { Table } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { VideoDetails } from './records.ts';

/** An event with further fields that depend on its kind. */
interface VideoEvent {
  event: 'start' | 'stall' | 'switch' | 'segment' | 'request' | 'failure';
  /** Time since the call to play; null: the session never began. */
  atMs: number | null;
  [more: string]: unknown;
}

/** All events, warm-ups included: one line of JSON each, ordered by time within a session. */
export const events: Table = {
  file: 'events.jsonl',
  text: (_, attempts) =>
    attempts
      .flatMap((attempt) => {
        const { id, stack, warmup } = attempt;
        return eventsOf(attempt)
          .sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0))
          .map((each) => `${JSON.stringify({ id, stack, warmup, ...each }, toMicroseconds)}\n`);
      })
      .join(''),
};

function eventsOf({ details, outcome, code, message }: Observation): VideoEvent[] {
  const {
    reports = [],
    switches = [],
    requests = [],
    watchedMs = null,
  } = (details ?? {}) as Partial<VideoDetails>;
  return [
    ...requests.map(
      ({ requestedMs, kind, ...each }): VideoEvent => ({
        event: kind === 'video' || kind === 'audio' ? 'segment' : 'request',
        atMs: requestedMs,
        kind,
        ...each,
      }),
    ),
    ...reports.flatMap(({ by, startupMs, stalls }): VideoEvent[] => [
      ...(startupMs === null ? [] : [{ event: 'start' as const, atMs: startupMs, by }]),
      ...stalls.map((stall) => ({ event: 'stall' as const, by, ...stall })),
    ]),
    ...switches.map((each): VideoEvent => ({ event: 'switch', ...each })),
    ...(outcome === 'ok' ? [] : [{ event: 'failure' as const, atMs: watchedMs, code, message }]),
  ];
}

function toMicroseconds(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
