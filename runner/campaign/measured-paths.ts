import type { Trial } from '../../ground/records/run.ts';
import { measurable } from '../../network/conditions.ts';
import type { Path } from '../../network/path.ts';
import type { MeasuredPath } from '../observation.ts';
import type { OpenInvocation } from './open-invocation.ts';

/** What the path was measured to be under each condition, once in a round. */
export type MeasuredPaths = ReturnType<typeof measuredPaths>;

/** Paths of which none is measured yet. */
export function measuredPaths(path: Path, { results, progress, surroundings }: OpenInvocation) {
  const found = new Map<string, MeasuredPath>();
  let roundOfFound = '';
  return {
    isMeasured: ({ network }: Trial) => found.has(network.name),
    /** As a load's record has it. */
    of({ network }: Trial): MeasuredPath {
      const measured = found.get(network.name);
      if (!measured) throw new Error(`no path was measured for ${network.name}`);
      return measured;
    },
    /**
     * Measures the path of a trial, if it has not been in this round.
     * @throws NetworkError when the path is not what was asked for.
     */
    async measure({ subject, network }: Trial, round: string): Promise<void> {
      if (round !== roundOfFound) found.clear();
      roundOfFound = round;
      if (found.has(network.name)) return;
      const condition = { ...measurable(network), seed: CALIBRATION_SEED };
      await path.apply(condition);
      const { udpRttMs, late } = await surroundings.calibrate(path, condition, {
        onMeasured: (calibration) => results.appendCalibration({ subject, ...calibration }),
        onLate: (why) => progress.pathLate(why),
      });
      found.set(network.name, { measuredRttMs: udpRttMs?.median ?? null, pathLate: late });
    },
  };
}

// Probes that are lost are sent again, so it matters to no result.
const CALIBRATION_SEED = 1;
