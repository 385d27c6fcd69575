import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playerRequestsOf } from '../../../player-requests.ts';
import type { Player } from '../../../players/player.ts';
import { compareReports, isAgreed } from '../../../reports/agreement.ts';
import { reportByModel } from '../../../reports/model.ts';
import {
  MANIFEST_URL,
  presentation,
  SEGMENT_MS,
  segment,
  watchedSession,
} from '../watched-session.ts';

/** A real session: arrival times and the element's report. */
interface RealSession {
  about: string;
  watchedMs: number;
  durationMs: number;
  /** Arrival time of each segment of 2 s, in ms; null: not during the session. */
  arrivals: Readonly<Record<'video' | 'audio', readonly (number | null)[]>>;
  element: {
    startupMs: number;
    stalls: readonly (readonly [atMs: number, durationMs: number, ended: boolean])[];
  };
}

type Arrival = readonly [representation: 'low' | 'tone', fromMs: number, endMs: number];

/** The model's report for these arrival times. */
export function reportFor(arrivals: readonly Arrival[], player?: string, watchedMs = 60_000) {
  const requests = arrivals.map((arrival) => segment(...arrival));
  const watched = watchedSession({ requests, player, watchedMs });
  const playerRequests = playerRequestsOf(watched, presentation(), MANIFEST_URL);
  return reportByModel({ ...watched, playerRequests, durationMs: 20_000 });
}

/** Picture and sound, segment by segment, at the same moments. */
export function both(...endsMs: readonly number[]): Arrival[] {
  return endsMs.flatMap((endMs, index) => [
    ['low', index * SEGMENT_MS, endMs] as const,
    ['tone', index * SEGMENT_MS, endMs] as const,
  ]);
}

/** Tests that the model matches the element in real sessions of a player. */
export function testModel({ name }: Pick<Player, 'name'>, sessions: readonly RealSession[]): void {
  for (const session of sessions) {
    test(`the model matches the element for ${session.about}`, () => {
      const { startupMs } = session.element;
      const stalls = session.element.stalls.map(([atMs, durationMs, ended]) => ({
        atMs,
        durationMs,
        ended,
      }));
      const all = compareReports([
        { by: 'element', startupMs, stalls, meanBitrateKbps: null },
        { by: 'model', ...reportOf(session, name), meanBitrateKbps: null },
      ]);
      assert.ok(isAgreed(all), JSON.stringify(all));
    });
  }
}

function reportOf(real: RealSession, player: string) {
  const requestsOf = (representation: 'low' | 'tone', endsMs: readonly (number | null)[]) =>
    endsMs.flatMap((endMs, index) =>
      endMs === null ? [] : [segment(representation, index * SEGMENT_MS, endMs)],
    );
  const requests = [
    ...requestsOf('low', real.arrivals.video),
    ...requestsOf('tone', real.arrivals.audio),
  ];
  const watched = watchedSession({ ...real, player, requests });
  const playerRequests = playerRequestsOf(watched, presentation(real.durationMs), MANIFEST_URL);
  return reportByModel({ ...watched, playerRequests, durationMs: real.durationMs });
}
