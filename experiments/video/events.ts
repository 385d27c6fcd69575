import type { Table } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { VideoDetails } from './records.ts';

/** Something that happened in a session, at a moment since the player was told to play; what else it has depends on what it is. */
interface VideoEvent {
  event: 'start' | 'stall' | 'switch' | 'segment' | 'request' | 'failure';
  /** null: the session was never begun. */
  atMs: number | null;
  [more: string]: unknown;
}

/** Every event of every session of a run, warm-ups too: a line of JSON each, those of a session by time. */
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
    told = [],
    switches = [],
    asked = [],
    watchedMs = null,
  } = (details ?? {}) as Partial<VideoDetails>;
  return [
    ...asked.map(
      ({ askedMs, kind, ...each }): VideoEvent => ({
        event: kind === 'video' || kind === 'audio' ? 'segment' : 'request',
        atMs: askedMs,
        kind,
        ...each,
      }),
    ),
    ...told.flatMap(({ by, startupMs, stalls }): VideoEvent[] => [
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
