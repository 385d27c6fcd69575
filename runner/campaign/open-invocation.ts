import type { InvocationRecord } from '../../records/invocation.ts';
import type { Observation } from '../../records/observation.ts';
import type { Trial } from '../../records/run.ts';
import type { KeptHars } from '../hars.ts';
import type { Unnumbered } from '../observation.ts';
import type { Progress } from '../progress.ts';
import type { Results } from '../results.ts';
import { Agenda, type Work } from './agenda.ts';
import { Faults } from './faults.ts';

/** How the loads of an invocation came out, warm-ups apart. */
export interface Tally {
  ok: number;
  failed: number;
  invalid: number;
  unsupported: number;
}

export const NOTHING_MADE: Tally = { ok: 0, failed: 0, invalid: 0, unsupported: 0 };

/** What an invocation works with. */
export interface OpenFiles {
  results: Results;
  hars: KeptHars;
  progress: Progress;
  work: Work;
}

/** What an invocation begins with, and how it may end. */
export interface InvocationLimits {
  rowsBefore: number;
  /** Loads of earlier invocations, where the run is looked at before its end. */
  loadsBefore: readonly Observation[];
  /** Whether the run is looked at. */
  keepsLoads: boolean;
  stopAfter: number;
  mayBegin: () => boolean;
}

/** An invocation at work: what is left to do, and where what was done is written. */
export class OpenInvocation {
  readonly record: InvocationRecord;
  readonly results: Results;
  readonly progress: Progress;
  readonly agenda: Agenda;
  readonly tally: Tally = { ...NOTHING_MADE };
  /** All loads of the run so far, where it is looked at before its end; else none. */
  readonly observations: Observation[];
  readonly #hars: KeptHars;
  readonly #keepsLoads: boolean;
  readonly #faults: Faults;
  #rows: number;
  #made = 0;
  #warmUps = 0;

  constructor(
    record: InvocationRecord,
    { results, hars, progress, work }: OpenFiles,
    limits: InvocationLimits,
  ) {
    this.record = record;
    this.results = results;
    this.#hars = hars;
    this.progress = progress;
    this.agenda = new Agenda(work, limits.mayBegin);
    this.#faults = new Faults(limits.stopAfter);
    this.#rows = limits.rowsBefore;
    this.observations = [...limits.loadsBefore];
    this.#keepsLoads = limits.keepsLoads;
  }

  /** Whether path and servers have worked in this invocation. */
  get hasMade(): boolean {
    return this.#made > 0;
  }

  /** The number of the next row: 1, 2, 3 ... in the order actually run, through all invocations. */
  get nextOrder(): number {
    return this.#rows + 1;
  }

  /**
   * Writes a load down; when it returns, the load is on the disk and done.
   * @throws FaultsError when it is one failure too many; DiskError
   */
  async write(trial: Trial, unnumbered: Unnumbered): Promise<void> {
    const { formatVersion, formatMinor, id, ...rest } = unnumbered;
    // Behind the id, where rows have had their number since the first.
    const load = { formatVersion, formatMinor, id, order: this.nextOrder, ...rest };
    await this.results.append(load);
    if (this.#keepsLoads) this.observations.push(load);
    await this.#hars.made(load);
    this.#rows++;
    if (load.path !== null) this.#made++;
    if (!load.warmup) this.tally[load.outcome]++;
    await this.agenda.ended(trial);
    this.progress.ended(load);
    this.#faults.note(load);
  }

  /** A warm-up once more, for servers that were started again or in another invocation: known apart by its id. */
  warmUpAgain(planned: Trial, { network, networkSeed, factors }: Trial): Trial {
    this.#warmUps++;
    const id = `${planned.id}@${this.record.id}.${this.#warmUps}`;
    return { ...planned, id, network, networkSeed, factors };
  }

  /** Other machines have the rest: what is here is all that HARs are chosen from. */
  chooseHars(): Promise<void> {
    return this.#hars.endAsItIs();
  }

  async close(): Promise<void> {
    this.progress.close();
    await this.results.close();
  }
}
