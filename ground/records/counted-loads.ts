import type { Observation } from './observation.ts';

/** What decides whether a load counts. */
export type BlockLoad = Pick<Observation, 'arm' | 'outcome' | 'code' | 'attempt' | 'invocation'>;

/** The loads of a block that statistics speak of, by their arms. */
interface CountedLoads<Load> {
  /** With their numbers. */
  ok: ReadonlyMap<string, Load>;
  /** Those that their server or page made fail: slower than all that ended. */
  failed: ReadonlyMap<string, Load>;
  /** Whether loads that would count were lost for nothing but that they were made on several machines. */
  onSeveralMachines: boolean;
}

/**
 * What a server, or a page by it, did: a time that never came. All others were broken by the browser, the path or the bench. A load of
 * which a resource failed is invalid by its outcome, and a failure of its stack all the same.
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

/** Whether such an attempt, not ok, failed by its own server or page. */
export function isFailureOfStack(code: string | null): boolean {
  return FAILURES_OF_STACKS.has(code);
}

/** The code of an attempt that was to be measured together with one that failed: nothing is known of its own arm by it. */
export const NOT_TOGETHER = 'not-together' as const;

/** Whether an attempt of this code was not made, because those of its cell before it had failed. */
export function isGivenUp(code: string | null): boolean {
  return code === 'given-up' || code === 'given-up-broken';
}

/**
 * The loads of the one attempt at a block that counts: the first in which every planned load was made, whatever came of it;
 * without such, the one in which most were. A block is begun again because its worker was lost, and never for its results.
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
 * What counts of a block: of the attempt that stands the loads that are ok, and those that failed by their own server or page; none
 * when they were made on several machines, whose loads are never compared.
 * @param arms planned in the block
 * @param made all loads of the block, in any order
 */
export function countedLoads<Load extends BlockLoad>(
  arms: readonly string[],
  made: readonly Load[],
  machineOf: (load: Load) => string | null = () => null,
): CountedLoads<Load> {
  const counted = Map.groupBy(countedAttempt(arms, made), ({ arm }) => arm);
  // A load that is there twice says nothing: which of them was it?
  const once = [...counted.values()].flatMap((own) => (own.length === 1 ? own : []));
  const ok = once.filter(({ outcome }) => outcome === 'ok');
  const failed = once.filter(({ outcome, code }) => outcome !== 'ok' && isFailureOfStack(code));
  const onSeveralMachines = new Set([...ok, ...failed].map(machineOf)).size > 1;
  const byArm = (loads: readonly Load[]) =>
    new Map(onSeveralMachines ? [] : loads.map((load) => [load.arm, load]));
  return { ok: byArm(ok), failed: byArm(failed), onSeveralMachines };
}
