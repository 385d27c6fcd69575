import type { Observation } from '../../../ground/records/observation.ts';
import { countWithNoun, decimalText, millisecondsText } from '../../../kit/text/number.ts';
import { type SessionReport, SOURCES, type Source, type VideoDetails } from '../records.ts';

/** Tolerance for start-up and for the length of a stall. */
export const AGREE_MS = 100;

/** Tolerance for the mean bitrate. */
export const AGREE_PERCENT = 5;

/** Both tolerances as text: `0.1 s and 5 %`. */
export function agreeText(word: 'and' | 'or'): string {
  return `${decimalText(AGREE_MS / 1000)} s ${word} ${AGREE_PERCENT} %`;
}

/** A stall according to several reports. */
interface ReportedStall {
  atMs: number;
  /** Length in each report; 0: not reported. */
  lengthMs: Record<Source, number>;
  /** Largest minus smallest length. */
  apartMs: number;
}

/** Differences between the reports of a session. */
export interface Agreement {
  /** Largest minus smallest start-up delay; infinite: only some report that playback began. */
  startupApartMs: number;
  stalls: ReportedStall[];
  stalledApartMs: number;
  /** Excess of the highest mean bitrate over the lowest; 0 if fewer than two reports have one. */
  bitrateApartPercent: number;
  /** Largest difference as a multiple of its tolerance; above 1: the reports disagree. */
  apart: number;
}

/** Compares start-up, simultaneous stalls and bitrate of the reports. */
export function compareReports(reports: readonly SessionReport[]): Agreement {
  const startups = reports.map(({ startupMs }) => startupMs ?? Number.POSITIVE_INFINITY);
  const startupApartMs = startups.every((each) => each === Number.POSITIVE_INFINITY)
    ? 0
    : rangeOf(startups);
  const stalls = mergeStalls(reports);
  const stalledApartMs = Math.max(0, ...stalls.map(({ apartMs }) => apartMs));
  const bitrates = reports.flatMap(({ meanBitrateKbps }) => meanBitrateKbps ?? []);
  const bitrateApartPercent =
    bitrates.length < 2 ? 0 : 100 * (Math.max(...bitrates) / Math.min(...bitrates) - 1);
  return {
    startupApartMs,
    stalls,
    stalledApartMs,
    bitrateApartPercent,
    apart: Math.max(
      startupApartMs / AGREE_MS,
      stalledApartMs / AGREE_MS,
      bitrateApartPercent / AGREE_PERCENT,
    ),
  };
}

export function isAgreed({ apart }: Agreement): boolean {
  return apart <= 1;
}

/** Caveats of a run whose reports disagree. */
export function cautionsOf(attempts: readonly Observation[]): string[] {
  const reports = (attempts as readonly Observation<VideoDetails>[]).flatMap(({ id, details }) =>
    details ? [{ id, ...compareReports(details.reports) }] : [],
  );
  const differing = reports.filter((each) => !isAgreed(each)).sort((a, b) => b.apart - a.apart);
  const [most] = differing;
  if (!most) return [];
  return [
    `The <video> element, the player and the model differ by more than ${decimalText(AGREE_MS / 1000)} s of start-up or a stall, or ${AGREE_PERCENT} % of the bitrate, in ${differing.length} of ${countWithNoun(reports.length, 'session')}. Largest difference in ${most.id}: ${largestDifferenceText(most)}. Start-up and stalls are metrics of the element, the bitrate is a metric of the model; the report shows all three.`,
  ];
}

function largestDifferenceText({
  startupApartMs,
  stalls,
  stalledApartMs,
  bitrateApartPercent,
  apart,
}: Agreement): string {
  if (startupApartMs === Number.POSITIVE_INFINITY) return 'only some report that playback began';
  if (startupApartMs / AGREE_MS === apart)
    return `${millisecondsText(startupApartMs)} ms of start-up`;
  if (bitrateApartPercent / AGREE_PERCENT === apart) {
    return `${decimalText(bitrateApartPercent, 1)} % of the bitrate`;
  }
  const stall = stalls.find(({ apartMs }) => apartMs === stalledApartMs) as ReportedStall;
  const lengths = SOURCES.map((by) => `${by} ${millisecondsText(stall.lengthMs[by])} ms`);
  return `a stall at ${decimalText(stall.atMs / 1000)} s (${lengths.join(', ')})`;
}

/** Merges stalls that overlap, in their order. */
function mergeStalls(reports: readonly SessionReport[]): ReportedStall[] {
  const all = reports
    .flatMap(({ by, stalls }) => stalls.map((stall) => ({ by, ...stall })))
    .sort((a, b) => a.atMs - b.atMs);
  const groups: (typeof all)[] = [];
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const stall of all) {
    if (stall.atMs > untilMs + AGREE_MS) groups.push([]);
    groups.at(-1)?.push(stall);
    untilMs = Math.max(untilMs, stall.atMs + stall.durationMs);
  }
  return groups.map((group) => {
    const lengthMs = Object.fromEntries(
      SOURCES.map((by) => [
        by,
        group.reduce((sum, stall) => sum + (stall.by === by ? stall.durationMs : 0), 0),
      ]),
    ) as Record<Source, number>;
    const lengthsMs = reports.map(({ by }) => lengthMs[by]);
    return { atMs: group[0]?.atMs ?? 0, lengthMs, apartMs: rangeOf(lengthsMs) };
  });
}

function rangeOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}
