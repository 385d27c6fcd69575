import type { Observation } from '../../../ground/records/observation.ts';
import { countWithNoun, decimalText, millisecondsText } from '../../../kit/text/number.ts';
import { type SessionReport, SOURCES, type Source, type VideoDetails } from '../records.ts';

/** By how much two may differ in start-up, or in the length of a stall, and agree. */
export const AGREE_MS = 100;

/** By how much they may differ in the mean bitrate, and agree. */
export const AGREE_PERCENT = 5;

/** Both, for readers: `0.1 s and 5 %`. */
export function agreeText(word: 'and' | 'or'): string {
  return `${decimalText(AGREE_MS / 1000)} s ${word} ${AGREE_PERCENT} %`;
}

/** A stall as several tell it. */
interface ReportedStall {
  atMs: number;
  /** How long each says that it took; 0: it tells of none. */
  lengthMs: Record<Source, number>;
  /** By how much their lengths differ at most. */
  apartMs: number;
}

/** How far those who tell a session agree. */
export interface Agreement {
  /** By how much their start-up delays differ at most; infinite: one says that it never began, another that it did. */
  startupApartMs: number;
  stalls: ReportedStall[];
  /** By how much the lengths of any stall differ at most. */
  stalledApartMs: number;
  /** By how much the highest mean bitrate is above the lowest one; 0 where fewer than two tell one. */
  bitrateApartPercent: number;
  /** The most of all, in times of what may be between those who agree: above 1 they do not. */
  apart: number;
}

/** Compares how a session is told: start-up with start-up, stalls with those of the same time, bitrate with bitrate. */
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

/** Whether those who tell a session agree in everything. */
export function isAgreed({ apart }: Agreement): boolean {
  return apart <= 1;
}

/** What a reader should know of a run in which they do not agree, as sentences. */
export function cautionsOf(attempts: readonly Observation[]): string[] {
  const reports = (attempts as readonly Observation<VideoDetails>[]).flatMap(({ id, details }) =>
    details ? [{ id, ...compareReports(details.told) }] : [],
  );
  const differing = reports.filter((each) => !isAgreed(each)).sort((a, b) => b.apart - a.apart);
  const [most] = differing;
  if (!most) return [];
  return [
    `The <video> element, the player and a model of what had come differ by more than ${decimalText(AGREE_MS / 1000)} s of start-up or a stall, or ${AGREE_PERCENT} % of the bitrate, in ${differing.length} of ${countWithNoun(reports.length, 'session')}, the most in ${most.id}: ${largestDifferenceText(most)}. Metrics of start-up and stalls are the element's, that of the bitrate the model's; the report has what each tells.`,
  ];
}

function largestDifferenceText({
  startupApartMs,
  stalls,
  stalledApartMs,
  bitrateApartPercent,
  apart,
}: Agreement): string {
  if (startupApartMs === Number.POSITIVE_INFINITY) return 'not all say that playing began';
  if (startupApartMs / AGREE_MS === apart)
    return `${millisecondsText(startupApartMs)} ms of start-up`;
  if (bitrateApartPercent / AGREE_PERCENT === apart) {
    return `${decimalText(bitrateApartPercent, 1)} % of the bitrate`;
  }
  const stall = stalls.find(({ apartMs }) => apartMs === stalledApartMs) as ReportedStall;
  const lengths = SOURCES.map((by) => `${by} ${millisecondsText(stall.lengthMs[by])} ms`);
  return `a stall at ${decimalText(stall.atMs / 1000)} s (${lengths.join(', ')})`;
}

/** Stalls in their order; those that one tells within the time of another's are of one. */
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
