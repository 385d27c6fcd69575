import type { CalibrationRecord } from '../records/calibration.ts';
import type { PageLoad } from '../records/page-load.ts';
import { DamagedRunError } from '../records/read.ts';
import type { RunRecord, Trial } from '../records/run.ts';
import type { SittingRecord } from '../records/sitting.ts';
import { conditionKey } from './condition.ts';

/** Checks single records of a run. */
export interface RecordChecks {
  /** @throws DamagedRunError when the load is none that run.json planned, or of no sitting of the run */
  load(load: PageLoad): void;
  /** @throws DamagedRunError when the calibration is of no network or backend of the run */
  calibration(calibration: CalibrationRecord): void;
}

/**
 * Files of two runs, or paths of two kinds, must never meet in one comparison.
 * @param sittings empty: not known, everything was made as run.json says
 * @throws DamagedRunError when a load or a calibration is none of this run
 */
export function assertOfThisRun(
  run: RunRecord,
  pageLoads: readonly PageLoad[],
  calibrations: readonly CalibrationRecord[],
  sittings: readonly SittingRecord[],
): void {
  const checks = checksOfRun(run, sittings);
  for (const load of pageLoads) checks.load(load);
  for (const calibration of calibrations) checks.calibration(calibration);
}

/** The checks that records of a run have to pass, for whoever reads one after the other. */
export function checksOfRun(run: RunRecord, sittings: readonly SittingRecord[]): RecordChecks {
  const remedy = 'Put the files of the same run together.';
  const backendOf = new Map(sittings.map(({ id, backend }) => [id, backend]));
  const backends = new Set<string>(sittings.length > 0 ? backendOf.values() : [run.backend]);
  const cells = new Set(run.trials.map(trialKey));
  return {
    load(load) {
      const { id, site, stack, network, visit, block } = load;
      if (!cells.has(trialKey(load))) {
        throw new DamagedRunError(
          `page-loads.jsonl has a load (${id}) of site ${site}, stack ${stack}, network ${network.name} (${network.rttMs} ms RTT), visit ${visit}, block ${block}, which run.json did not plan. ${remedy}`,
        );
      }
      const backend = sittings.length > 0 ? backendOf.get(load.sitting) : run.backend;
      if (backend === undefined) {
        throw new DamagedRunError(
          `page-loads.jsonl has a load (${id}) of the sitting ${load.sitting}, which sittings.jsonl does not have. ${remedy}`,
        );
      }
      if (network.backend !== backend) {
        throw new DamagedRunError(
          `page-loads.jsonl has a load (${id}) over the backend ${network.backend}, expected ${backend} as in ${sittings.length > 0 ? 'its sitting' : 'run.json'}. ${remedy}`,
        );
      }
    },
    calibration({ asked, backend, measuredAt }) {
      const planned = run.networks.find(({ name }) => name === asked.condition);
      if (planned?.rttMs !== asked.rttMs || !backends.has(backend)) {
        throw new DamagedRunError(
          `calibrations.jsonl has a calibration (${measuredAt}) of network ${asked.condition} (${asked.rttMs} ms RTT, ${backend}), which run.json did not plan. ${remedy}`,
        );
      }
    },
  };
}

function trialKey({
  site,
  stack,
  network,
  visit,
  block,
  warmup,
}: Pick<Trial, 'site' | 'stack' | 'network' | 'visit' | 'block' | 'warmup'>): string {
  // Servers that are started again are warmed up again, under whatever condition comes next.
  if (warmup) return JSON.stringify([site, stack]);
  return JSON.stringify([site, stack, conditionKey(network), visit, block]);
}
