import type { CalibrationRecord } from '../../ground/records/calibration.ts';
import { DamagedRunError } from '../../ground/records/damaged-run.ts';
import { variantOf } from '../../ground/records/factors.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import { networkKey } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord, Trial } from '../../ground/records/run.ts';

/**
 * Rejects files of two runs, or paths of two kinds, in one comparison.
 * @param invocations empty: not known, run.json applies to all loads
 * @throws DamagedRunError when a load or a calibration does not belong to this run
 */
export function assertOfThisRun(
  run: RunRecord,
  observations: readonly Observation[],
  calibrations: readonly CalibrationRecord[],
  invocations: readonly InvocationRecord[],
): void {
  const checks = checksOfRun(run, invocations);
  for (const load of observations) checks.load(load);
  for (const calibration of calibrations) checks.calibration(calibration);
}

/** Checks for readers that read one record at a time. */
export function checksOfRun(run: RunRecord, invocations: readonly InvocationRecord[]) {
  const remedy = 'Put the files of the same run together.';
  const backendOf = new Map(invocations.map(({ id, backend }) => [id, backend]));
  const backends = new Set<string>(invocations.length > 0 ? backendOf.values() : [run.backend]);
  const cells = new Set(run.trials.map(trialKey));
  return {
    /** @throws DamagedRunError when run.json did not plan the load, or the run does not have its invocation */
    load(load: Observation): void {
      const { id, subject, arm, network, factors, block } = load;
      if (!cells.has(trialKey(load))) {
        throw new DamagedRunError(
          `${run.recordFile} has an attempt (${id}) at ${subject}, arm ${arm}, network ${network.name} (${network.rttMs} ms RTT), variant ${variantOf(factors)}, block ${block}, which run.json did not plan. ${remedy}`,
        );
      }
      const backend = invocations.length > 0 ? backendOf.get(load.invocation) : run.backend;
      if (backend === undefined) {
        throw new DamagedRunError(
          `${run.recordFile} has an attempt (${id}) of the invocation ${load.invocation}, which invocations.jsonl does not have. ${remedy}`,
        );
      }
      if (network.backend !== backend) {
        throw new DamagedRunError(
          `${run.recordFile} has an attempt (${id}) over the backend ${network.backend}, expected ${backend} as in ${invocations.length > 0 ? 'its invocation' : 'run.json'}. ${remedy}`,
        );
      }
    },
    /** @throws DamagedRunError when the run does not have the network or backend of the calibration */
    calibration({ asked, backend, measuredAt }: CalibrationRecord): void {
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
  subject,
  arm,
  network,
  factors,
  block,
  warmup,
}: Pick<Trial, 'subject' | 'arm' | 'network' | 'factors' | 'block' | 'warmup'>): string {
  // Restarted servers are warmed up again, under the next condition.
  if (warmup) return JSON.stringify([subject, arm]);
  return JSON.stringify([subject, arm, networkKey(network), variantOf(factors), block]);
}
