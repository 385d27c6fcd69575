import type { PageLoad } from '../../records/page-load.ts';
import type { Trial } from '../../records/run.ts';
import type { SittingRecord } from '../../records/sitting.ts';
import type { KeptHars } from '../hars.ts';
import type { UnnumberedLoad } from '../load/load.ts';
import type { Progress } from '../progress.ts';
import type { Results } from '../results.ts';
import { Agenda, type Work } from './agenda.ts';
import { Faults } from './faults.ts';

/** How the loads of a sitting came out, warm-ups apart. */
export interface Tally {
  ok: number;
  failed: number;
  invalid: number;
}

/** What a sitting works with. */
export interface OpenFiles {
  results: Results;
  hars: KeptHars;
  progress: Progress;
  work: Work;
}

/** What a sitting begins with, and how it may end. */
export interface SittingLimits {
  rowsBefore: number;
  /** Loads of earlier sittings, where the run is looked at before its end. */
  loadsBefore: readonly PageLoad[];
  /** Whether the run is looked at. */
  keepsLoads: boolean;
  stopAfter: number;
  mayBegin: () => boolean;
}

/** A sitting at work: what is left to do, and where what was done is written. */
export class OpenSitting {
  readonly record: SittingRecord;
  readonly results: Results;
  readonly progress: Progress;
  readonly agenda: Agenda;
  readonly tally: Tally = { ok: 0, failed: 0, invalid: 0 };
  /** All loads of the run so far, where it is looked at before its end; else none. */
  readonly pageLoads: PageLoad[];
  readonly #hars: KeptHars;
  readonly #keepsLoads: boolean;
  readonly #faults: Faults;
  #rows: number;
  #made = 0;
  #warmUps = 0;

  constructor(
    record: SittingRecord,
    { results, hars, progress, work }: OpenFiles,
    limits: SittingLimits,
  ) {
    this.record = record;
    this.results = results;
    this.#hars = hars;
    this.progress = progress;
    this.agenda = new Agenda(work, limits.mayBegin);
    this.#faults = new Faults(limits.stopAfter);
    this.#rows = limits.rowsBefore;
    this.pageLoads = [...limits.loadsBefore];
    this.#keepsLoads = limits.keepsLoads;
  }

  /** Whether path and servers have worked in this sitting. */
  get hasMade(): boolean {
    return this.#made > 0;
  }

  /** The number of the next row: 1, 2, 3 ... in the order actually run, through all sittings. */
  get nextOrder(): number {
    return this.#rows + 1;
  }

  /**
   * Writes a load down; when it returns, the load is on the disk and done.
   * @throws FaultsError when it is one failure too many; DiskError
   */
  async write(trial: Trial, unnumbered: UnnumberedLoad): Promise<void> {
    const { formatVersion, id, ...rest } = unnumbered;
    // Behind the id, where rows have had their number since the first.
    const load = { formatVersion, id, order: this.nextOrder, ...rest };
    await this.results.append(load);
    if (this.#keepsLoads) this.pageLoads.push(load);
    await this.#hars.made(load);
    this.#rows++;
    if (load.path !== null) this.#made++;
    if (!load.warmup) this.tally[load.outcome]++;
    await this.agenda.ended(trial);
    this.progress.ended(load);
    this.#faults.note(load);
  }

  /** A warm-up once more, for servers that were started again or in another sitting: known apart by its id. */
  warmUpAgain(planned: Trial, { network, networkSeed, visit }: Trial): Trial {
    this.#warmUps++;
    const id = `${planned.id}@${this.record.id}.${this.#warmUps}`;
    return { ...planned, id, network, networkSeed, visit };
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
