import type { Observation } from './observation.ts';

/** Fields that decide whether a load counts. */
export type BlockLoad = Pick<Observation, 'arm' | 'outcome' | 'code' | 'attempt' | 'invocation'>;

/** Loads of a block that statistics use, by arm. */
interface CountedLoads<Load> {
  ok: ReadonlyMap<string, Load>;
  /** Loads that failed by their server or page; they rank behind all ok loads. */
  failed: ReadonlyMap<string, Load>;
  /** Whether loads were excluded only because they were made on several machines. */
  onSeveralMachines: boolean;
}

/**
 * Codes of failures caused by the server or the page. All other codes blame the browser, the path or the
 * benchmark. A load with a failed resource has the outcome invalid but counts as a failure of its stack.
 */
const FAILURES_OF_STACKS: ReadonlySet<string | null> = new Set([
  'timeout',
  'navigation-failed',
  'page-broken',
  'request-failed',
  'server-failed',
  'earlier-load-failed',
  'handshake-failed',
  'exchange-failed',
  'connect-failed',
  'http-error',
  'cut-off',
  'wrong-size',
  'segment-failed',
  'never-started',
  'player-failed',
  'given-up',
]);

/** Whether an attempt that is not ok failed by its server or page. */
export function isFailureOfStack(code: string | null): boolean {
  return FAILURES_OF_STACKS.has(code);
}

/** Code of an attempt whose concurrent attempt failed: it says nothing about its own arm. */
export const NOT_TOGETHER = 'not-together' as const;

/** Whether the attempt was skipped because earlier ones of its cell had failed. */
export function isGivenUp(code: string | null): boolean {
  return code === 'given-up' || code === 'given-up-broken';
}

/**
 * The loads of the counted attempt at a block: the first one with every planned load, of any outcome, or else
 * the one with most loads. A block is repeated because its worker was lost, never because of its results.
 */
export function countedAttempt<Load extends Pick<Observation, 'arm' | 'attempt'>>(
  arms: readonly string[],
  made: readonly Load[],
): Load[] {
  const attempts = [...Map.groupBy(made, ({ attempt }) => attempt)].sort(([a], [b]) => a - b);
  const isComplete = (loads: Load[]) =>
    arms.every((planned) => loads.some(({ arm }) => arm === planned));
  const most = attempts.toSorted(([, a], [, b]) => b.length - a.length);
  const [, loads = []] = attempts.find(([, each]) => isComplete(each)) ?? most[0] ?? [];
  return loads;
}

/**
 * Counted loads of a block: of its counted attempt, the ok loads and those that failed by their server or page.
 * Empty if they were made on several machines, whose loads are never compared.
 * @param arms planned in the block
 * @param made all loads of the block, in any order
 */
export function countedLoads<Load extends BlockLoad>(
  arms: readonly string[],
  made: readonly Load[],
  machineOf: (load: Load) => string | null = () => null,
): CountedLoads<Load> {
  const counted = Map.groupBy(countedAttempt(arms, made), ({ arm }) => arm);
  // Duplicate loads of an arm are ambiguous.
  const once = [...counted.values()].flatMap((own) => (own.length === 1 ? own : []));
  const ok = once.filter(({ outcome }) => outcome === 'ok');
  const failed = once.filter(({ outcome, code }) => outcome !== 'ok' && isFailureOfStack(code));
  const onSeveralMachines = new Set([...ok, ...failed].map(machineOf)).size > 1;
  const byArm = (loads: readonly Load[]) =>
    new Map(onSeveralMachines ? [] : loads.map((load) => [load.arm, load]));
  return { ok: byArm(ok), failed: byArm(failed), onSeveralMachines };
}
