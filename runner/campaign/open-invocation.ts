import type { InvocationRecord } from '../../records/invocation.ts';
import type { Observation } from '../../records/observation.ts';
import type { Trial } from '../../records/run.ts';
import type { KeptHars } from '../hars.ts';
import type { Unnumbered } from '../observation.ts';
import type { Progress } from '../progress.ts';
import type { Results } from '../results.ts';
import { agendaOf, type Work } from './agenda.ts';
import { countFaults } from './faults.ts';

/** How the loads of an invocation came out, warm-ups apart. */
export interface Tally {
  ok: number;
  failed: number;
  invalid: number;
  unsupported: number;
}

export const NOTHING_MADE: Tally = { ok: 0, failed: 0, invalid: 0, unsupported: 0 };

/** What an invocation works with, what it begins with, and how it may end. */
interface Opening {
  results: Results;
  hars: KeptHars;
  progress: Progress;
  work: Work;
  rowsBefore: number;
  /** Loads of earlier invocations, where the run is looked at before its end. */
  loadsBefore: readonly Observation[];
  /** Whether the run is looked at. */
  keepsLoads: boolean;
  stopAfter: number;
  mayBegin: () => boolean;
}

/** An invocation at work: what is left to do, and where what was done is written. */
export type OpenInvocation = ReturnType<typeof openInvocation>;

/** An invocation that has made nothing yet. */
export function openInvocation(
  record: InvocationRecord,
  { results, hars, progress, work, mayBegin, ...before }: Opening,
) {
  const agenda = agendaOf(work, mayBegin);
  const noteFault = countFaults(before.stopAfter);
  const tally: Tally = { ...NOTHING_MADE };
  const observations = [...before.loadsBefore];
  let rows = before.rowsBefore;
  let hasMade = false;
  let warmUps = 0;
  return {
    record,
    results,
    progress,
    agenda,
    tally,
    /** All loads of the run so far, where it is looked at before its end; else none. */
    observations,
    /** Whether path and servers have worked in this invocation. */
    hasMade: () => hasMade,
    /**
     * Writes a load down; when it returns, the load is on the disk and done.
     * @throws FaultsError when it is one failure too many; DiskError
     */
    async write(trial: Trial, unnumbered: Unnumbered): Promise<void> {
      const { formatVersion, formatMinor, id, ...rest } = unnumbered;
      // 1, 2, 3 ... in the order actually run, through all invocations; behind the id, where rows have had it since the first.
      const load = { formatVersion, formatMinor, id, order: rows + 1, ...rest };
      await results.append(load);
      if (before.keepsLoads) observations.push(load);
      await hars.made(load);
      rows++;
      if (load.path !== null) hasMade = true;
      if (!load.warmup) tally[load.outcome]++;
      await agenda.ended(trial);
      progress.ended(load);
      noteFault(load);
    },
    /** A warm-up once more, for servers that were started again or in another invocation: known apart by its id. */
    warmUpAgain(planned: Trial, { network, networkSeed, factors }: Trial): Trial {
      warmUps++;
      const id = `${planned.id}@${record.id}.${warmUps}`;
      return { ...planned, id, network, networkSeed, factors };
    },
    /** Other machines have the rest: what is here is all that HARs are chosen from. */
    chooseHars: () => hars.endAsItIs(),
    async close(): Promise<void> {
      progress.close();
      await results.close();
    },
  };
}
