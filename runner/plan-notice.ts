import { experimentOf } from '../experiments/index.ts';
import { FAIR_FOR_MS, FAIR_TOLD_FROM_MS } from '../experiments/share/sharing.ts';
import { OPTION_DEFAULTS } from '../ground/options/defaults.ts';
import { bytesOfSize } from '../experiments/transfer/options.ts';
import { variantsOf } from '../ground/records/factors.ts';
import { isOfLiveWeb, limitKbps } from '../ground/records/network.ts';
import type { PlanRecord } from '../ground/records/run.ts';
import { pairNames } from '../report/summary/primary-questions.ts';
import { FEWEST_SITES } from '../statistics/fixed-sites.ts';
import { FEWEST_PAIRS, firstLook } from './campaign/until-told.ts';
import { DEFAULTS } from './defaults.ts';
import { expectedArmMs } from '../experiments/share/planning.ts';
import { blocksPerLook } from './schedule.ts';
import { expectedSessionMs } from '../experiments/video/planning.ts';

/** How much a plan loads in every block of every site. */
export interface PlanSize {
  subjects: number;
  arms: number;
  /** Network conditions x kinds of visit. */
  conditions: number;
  /** Stacks that are compared with another one. */
  compared: number;
  /** How long one takes with all that is around it; absent: as a page does. */
  expectedLoadMs?: number;
}

/** The budget of a run that names none: the time to the first look, and never less than an answer in five minutes leaves. */
export function defaultBudgetMs(size: PlanSize): number {
  const minutes = Math.ceil(untilFirstLookMs(size) / 60_000);
  return Math.max(OPTION_DEFAULTS.budgetMs, minutes * 60_000);
}

/** A page out there takes longer than one from here, and its pause. */
export function expectedLiveLoadMs(pauseMs: number): number {
  return pauseMs + DEFAULTS.expectedLiveLoadMs;
}

/** What the user should know about the plan before the run, as sentences: what is wrong with its sites, how long it may take, and whether it can decide anything. */
export function planNotices(plan: PlanRecord): string[] {
  const warnings = plan.subjects.flatMap(({ subject, warning }) =>
    warning === undefined ? [] : [`Warning about ${subject}: ${warning}`],
  );
  return [
    ...warnings,
    ...slowLinkNotices(plan),
    ...shortFlowNotices(plan),
    ...sessionNotices(plan),
    ...repetitionNotices(plan),
  ];
}

/** Hosts of a plan that are named before it is executed. */
const MOST_HOSTS_NAMED = 10;

/** Where a plan that comes from elsewhere leads, as sentences: what it connects to beside the servers of this project. */
export function addressNotices({ arms, subjects, choices, networks }: PlanRecord): string[] {
  const own = arms.flatMap(({ arm, own: server }) =>
    server?.url === undefined ? [] : `${arm} at ${server.url}`,
  );
  const hosts = isOfLiveWeb({ networks }) ? subjects.map(({ url }) => url) : [];
  const more = hosts.length - MOST_HOSTS_NAMED;
  const trust = choices.connections?.live ? choices.connections.trust : 'system';
  return [
    ...(own.length > 0 ? [`The plan measures servers that run already: ${own.join(', ')}.`] : []),
    ...(hosts.length > 0
      ? [
          `The plan connects to ${hosts.slice(0, MOST_HOSTS_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
        ]
      : []),
    ...(trust === null ? ['The plan does not check certificates.'] : []),
    ...(trust !== null && trust !== 'system'
      ? [`The plan trusts the authorities in ${trust}.`]
      : []),
  ];
}

/** Of flows that have no time to become fair. */
function shortFlowNotices({ choices: { flows } }: PlanRecord): string[] {
  if (!flows || flows.durationMs >= FAIR_TOLD_FROM_MS) return [];
  return [
    `--duration ${flows.durationMs / 1000} is too short to tell whether flows come to a fair share: they have to keep it for ${FAIR_FOR_MS / 1000} s. Give ${FAIR_TOLD_FROM_MS / 1000} or more, better 30.`,
  ];
}

/** Of players, which are paced: nothing makes their sessions faster. */
function sessionNotices(plan: PlanRecord): string[] {
  const { choices, trials, stopping } = plan;
  if (!choices.videos) return [];
  const sessionMs = expectedSessionMs(choices.videos);
  const warmups = trials.filter(({ warmup }) => warmup).length;
  const sessions = stopping ? loadsUntilFirstLook(sizeOf(plan)) + warmups : trials.length;
  const what = stopping ? 'The first answers come after' : 'The run has';
  return [
    `${what} ${sessions} sessions of ${choices.videos.watchedMs / 1000} s (${warmups} of them to warm up), one after the other, in real time: about ${durationText(sessions * sessionMs)}. A smaller --duration${stopping ? '' : ' or --repetitions'}, fewer networks, players or stacks make it shorter.`,
  ];
}

/** Of files that cannot go over a link within the time that a transfer has. */
function slowLinkNotices({ subjects, networks, choices, timeoutS }: PlanRecord): string[] {
  if (!choices.transfers) return [];
  const { direction } = choices.transfers;
  const sizes = subjects.map(({ subject }) => ({ subject, bytes: bytesOfSize(subject) ?? 0 }));
  return networks.flatMap((network) => {
    const kbps = limitKbps(network, direction === 'download' ? 'toClient' : 'toServer');
    const takesS = (bytes: number) => (kbps === null ? 0 : (8 * bytes) / kbps / 1000);
    const late = sizes.filter(({ bytes }) => takesS(bytes) >= timeoutS);
    const largest = Math.max(...late.map(({ bytes }) => takesS(bytes)));
    if (late.length === 0 || kbps === null) return [];
    return [
      `${kbps.toLocaleString('en-US', { maximumFractionDigits: 0 })} kbit/s cannot carry ${late.map(({ subject }) => subject).join(', ')} within the ${timeoutS} s that a transfer has: the ${direction} of the largest takes ${durationText(1000 * largest)} at least. Those will fail by timeout. Give --timeout ${Math.ceil(1.5 * largest)}, a faster link, or smaller sizes.`,
    ];
  });
}

function repetitionNotices(plan: PlanRecord): string[] {
  const { subjects, arms } = plan;
  const { stopping, repetitions } = plan;
  const {
    subject: [subject],
    attempt: [, attempts],
  } = experimentOf(plan);
  if (arms.length < 2) return [];
  if (!stopping) {
    return repetitions >= FEWEST_PAIRS || subjects.length >= FEWEST_SITES
      ? []
      : [
          `With --repetitions ${repetitions} nothing can be decided: a ${subject} needs ${FEWEST_PAIRS} pairs of ${attempts}. Ask for ${FEWEST_PAIRS} or more, better 12, or omit --repetitions.`,
        ];
  }
  const size = sizeOf(plan);
  const leastMs = untilFirstLookMs(size);
  return [
    `The run continues until every answer is precise, for at most ${durationText(stopping.budgetMs)} or ${repetitions} repetitions.`,
    ...(leastMs > stopping.budgetMs
      ? [
          `That is likely too short: the first answers come after ${loadsUntilFirstLook(size)} ${attempts}, some ${durationText(leastMs)}. Give a larger --budget, or fewer sites.`,
        ]
      : []),
  ];
}

/** How much a plan loads. */
export function sizeOf(plan: PlanRecord): PlanSize {
  const { subjects, arms, networks, factors, choices } = plan;
  const { flows, livePages, videos } = choices;
  return {
    subjects: subjects.length,
    arms: arms.length,
    conditions: networks.length * variantsOf({ factors }).length,
    compared: pairNames(plan).length,
    ...(flows && { expectedLoadMs: expectedArmMs(flows) }),
    ...(videos && { expectedLoadMs: expectedSessionMs(videos) }),
    ...(livePages && { expectedLoadMs: expectedLiveLoadMs(livePages.pauseMs) }),
  };
}

/** Comparisons of single subjects. */
export function comparisonsOf({ subjects, conditions, compared }: PlanSize): number {
  return subjects * conditions * compared;
}

function loadsUntilFirstLook(size: PlanSize): number {
  const { subjects, arms, conditions } = size;
  const comparisons = comparisonsOf(size);
  const blocks = firstLook(blocksPerLook(arms, comparisons), { arms, subjects, comparisons });
  return subjects * arms * conditions * blocks;
}

function untilFirstLookMs(size: PlanSize): number {
  return loadsUntilFirstLook(size) * (size.expectedLoadMs ?? DEFAULTS.expectedLoadMs);
}

/** A time that is only about so long. */
export function durationText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
