import { experimentOf } from '../experiments/index.ts';
import { firstNames } from '../ground/first-names.ts';
import { type Check, runCheck } from '../ground/host/check.ts';
import { udpBuffers } from '../ground/host/udp-buffers.ts';
import { OPTION_DEFAULTS } from '../ground/options/defaults.ts';
import { variantsOf } from '../ground/records/factors.ts';
import { isLiveRun } from '../ground/records/network.ts';
import { isOverQuic } from '../ground/records/protocol.ts';
import type { PlannedArm, PlanRecord } from '../ground/records/run.ts';
import { durationText } from '../kit/text/about-duration.ts';
import { pairNames } from '../report/summary/primary-questions.ts';
import { FEWEST_SITES } from '../statistics/fixed-sites.ts';
import { firstLook, MIN_PAIRS } from './campaign/sequential-stopping.ts';
import { DEFAULTS } from './defaults.ts';
import { blocksPerLook } from './schedule.ts';

/** Amount of loads in a plan. */
export interface PlanSize {
  subjects: number;
  arms: number;
  /** Network conditions x kinds of visit. */
  conditions: number;
  /** Stacks that are compared with the baseline or their twin. */
  compared: number;
  /** Expected time of an attempt, with preparation and settling; absent: that of a page load. */
  expectedLoadMs?: number | null;
  /** Whether further arms explain the answers; absent: no. */
  explains?: boolean;
}

/** Default budget: the time to the first look, at least that of --budget. */
export function defaultBudgetMs(size: PlanSize): number {
  const minutes = Math.ceil(untilFirstLookMs(size) / 60_000);
  return Math.max(OPTION_DEFAULTS.budgetMs, minutes * 60_000);
}

/** Notices before a run, as sentences: problems of its sites, its duration, and whether it can decide anything. */
export function planNotices(plan: PlanRecord): string[] {
  const warnings = plan.subjects.flatMap(({ subject, warning }) =>
    warning === undefined ? [] : [`Warning about ${subject}: ${warning}`],
  );
  return [
    ...warnings,
    ...(experimentOf(plan).planning?.notices?.(plan, attemptsUntilAnswer(plan)) ?? []),
    ...repetitionNotices(plan),
  ];
}

/** Addresses in a plan from elsewhere, as sentences: connections other than to this project's servers. */
export function addressNotices(plan: PlanRecord): string[] {
  const { arms, subjects, networks } = plan;
  const own = arms.flatMap(({ arm, own: server }) =>
    server?.url === undefined ? [] : `${arm} at ${server.url}`,
  );
  const hosts = isLiveRun({ networks }) ? subjects.map(({ url }) => url) : [];
  const { trust: trustOf = () => 'system' } = experimentOf(plan).planning ?? {};
  const trust = trustOf(plan.choices);
  return [
    ...(own.length > 0 ? [`The plan measures servers that run already: ${own.join(', ')}.`] : []),
    ...(hosts.length > 0 ? [`The plan connects to ${firstNames(hosts, 10)}.`] : []),
    ...(trust === null ? ['The plan does not check certificates.'] : []),
    ...(trust !== null && trust !== 'system'
      ? [`The plan trusts the authorities in ${trust}.`]
      : []),
  ];
}

/** Number of attempts until the first answer, warm-ups included. */
function attemptsUntilAnswer(plan: PlanRecord): number {
  const { trials, stopping } = plan;
  const warmups = trials.filter(({ warmup }) => warmup).length;
  return stopping ? loadsUntilFirstLook(sizeOf(plan)) + warmups : trials.length;
}

function repetitionNotices(plan: PlanRecord): string[] {
  const { subjects, arms } = plan;
  const { stopping, repetitions } = plan;
  const {
    subject: [subject, several],
    attempt: [, attempts],
  } = experimentOf(plan);
  if (arms.length < 2) return [];
  if (!stopping) {
    return repetitions >= MIN_PAIRS || subjects.length >= FEWEST_SITES
      ? []
      : [
          `With --repetitions ${repetitions} nothing can be decided: a ${subject} needs ${MIN_PAIRS} pairs of ${attempts}. Use ${MIN_PAIRS} or more, better 12, or omit --repetitions.`,
        ];
  }
  if (plan.analysis.explanations) {
    return [
      `The run makes ${repetitions} repetitions of ${arms.length} arms, or as many as ${durationText(stopping.budgetMs)} allow.`,
    ];
  }
  const size = sizeOf(plan);
  const minMs = untilFirstLookMs(size);
  return [
    `The run continues until every answer is precise, for at most ${durationText(stopping.budgetMs)} or ${repetitions} repetitions.`,
    ...(minMs > stopping.budgetMs
      ? [
          `That is probably too short: the first look at the answers comes after ${loadsUntilFirstLook(size)} ${attempts}, about ${durationText(minMs)}. With fewer there is one look, at the end. Use a larger --budget${subjects.length > 1 ? `, or fewer ${several}` : ''}.`,
        ]
      : []),
  ];
}

export function sizeOf(plan: PlanRecord): PlanSize {
  const { subjects, arms, networks, factors, choices } = plan;
  return {
    subjects: subjects.length,
    arms: arms.length,
    conditions: networks.length * variantsOf({ factors }).length,
    compared: pairNames(plan).length,
    expectedLoadMs: experimentOf(plan).planning?.expectedMs?.(choices),
  };
}

/** Number of comparisons of single subjects. */
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

/** Warning about this machine's UDP buffers before a run over QUIC, as one line; null: none is needed. */
export async function udpBufferWarning(
  arms: readonly Pick<PlannedArm, 'protocol'>[],
  check: Check = udpBuffers,
): Promise<string | null> {
  if (!arms.some(({ protocol }) => isOverQuic(protocol))) return null;
  const { name, status, found, remedy } = await runCheck(check);
  if (status === 'ok' || remedy === undefined) return null;
  return `Warning: ${name}: ${found}: ${remedy}`;
}
