import { attemptOf } from '../../records/attempt.ts';
import { type PageLoad, RECORD_FORMAT_VERSION } from '../../records/page-load.ts';
import type { Trial } from '../../records/run.ts';
import type { UnnumberedLoad } from '../load/load.ts';
import type { Stack } from '../stacks.ts';

/** Why a load could not even be begun. */
export interface Obstacle {
  code: 'server-failed' | 'other-server-failed' | 'network-failed';
  message: string;
}

/** The record of a planned load that could not be begun: it failed, and has no numbers. */
export function unmadeLoad(
  trial: Trial,
  { protocol }: Pick<Stack, 'protocol'>,
  obstacle: Obstacle,
  { sitting, backend }: Pick<PageLoad, 'sitting'> & Pick<PageLoad['network'], 'backend'>,
): UnnumberedLoad {
  const { id, site, stack, repetition, block, warmup, visit } = trial;
  return {
    formatVersion: RECORD_FORMAT_VERSION,
    ...{ id, site, stack, protocol },
    network: { ...trial.network, backend, measuredRttMs: null },
    ...{ repetition, block, warmup, visit, browser: null },
    ...{ outcome: 'failed', ...obstacle },
    timingsMs: NO_TIMINGS,
    ...{ phasesMs: null, traffic: null, replay: null, connections: null },
    ...{ machine: null, disturbed: null, path: null, har: null },
    harnessMs: { prepare: 0, earlierLoad: 0, load: 0, settle: 0, judge: 0 },
    startedAt: new Date().toISOString(),
    attempt: attemptOf(trial.id),
    sitting,
  };
}

const NO_TIMINGS = {
  ...{ pageLoad: null, documentTime: null, firstByte: null, connect: null },
  ...{ domContentLoaded: null, firstContentfulPaint: null, largestContentfulPaint: null },
  lastByte: null,
};
