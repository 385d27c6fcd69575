import type { SiteManifest } from '../../cache/manifest.ts';
import type { LoadConnections } from '../../records/connection.ts';
import type { MachineUse, QuietRule } from '../../records/machine-use.ts';
import type { PathCounts } from '../../records/network.ts';
import type { HarnessMs, PageLoad } from '../../records/page-load.ts';
import type { RunChoices, Trial } from '../../records/run.ts';
import type { Failure } from '../browser/ending.ts';
import type { Place, Places } from '../browser/place.ts';
import type { Recorder } from '../browser/recorder.ts';
import type { Visit } from '../browser/visit.ts';
import type { Path } from '../network/path.ts';
import type { TimeKept } from '../quiet/heartbeat.ts';
import type { Results } from '../results.ts';
import type { Server } from '../servers.ts';

/** The record of a load that has no row yet: whoever writes it down gives it its number in the order actually run. */
export type UnnumberedLoad = Omit<PageLoad, 'order'>;

/** What the path was measured to be before the loads over it. */
export interface MeasuredPath {
  measuredRttMs: number | null;
  /** Why it was late, as a sentence; null: it was not. */
  pathLate: string | null;
}

/** What every trial of a group has in common. */
export interface TrialContext {
  manifest: SiteManifest;
  servers: readonly Server[];
  places: Places;
  path: Pick<Path, 'apply' | 'backend' | 'connections' | 'count'>;
  /** What the path of a trial was measured to be. */
  measuredPath(trial: Trial): MeasuredPath;
  timeoutS: number;
  choices: RunChoices;
  quietRule: QuietRule;
  versions: Record<string, string>;
  /** Id of the sitting that it is made in. */
  sitting: string;
  results: Pick<Results, 'writeHar'>;
  signal?: AbortSignal;
}

/** A trial that has its place in a browser, or the reason why it has none. */
export interface Prepared {
  trial: Trial;
  server: Server;
  place: Place | Failure;
  /** Already looking at the place's tab; null: an earlier load comes first. */
  recorder: Recorder | null;
  prepareMs: number;
  /** Resolves when nothing is under way any more but what the load event left: from then on the next one may be prepared. */
  settling: PromiseWithResolvers<void>;
}

/** Everything that was seen of a load. */
export interface Measured extends Visit {
  connections: LoadConnections | null;
  machine: MachineUse | null;
  /** null: the load never began, or never came to its end. */
  time: TimeKept | null;
  /** What went over the path; null: the load never began. */
  path: PathCounts | null;
  startedAt: Date;
  stepsMs: Pick<HarnessMs, 'earlierLoad' | 'load' | 'settle'>;
}
