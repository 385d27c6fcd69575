import type { Calibration } from '../../../records/calibration.ts';
import { NetworkError } from '../../errors.ts';
import type { NetworkCondition } from '../conditions.ts';
import type { Path } from '../path.ts';
import { calibrate } from './calibrate.ts';
import { judgeCalibration } from './judge.ts';

/** An idle virtual machine may be woken up late for some seconds, and a path that is wrong stays wrong. */
const MOST_TIMES = 3;

/**
 * Measures a path until it is found to be what was asked for, at most three times.
 * @param onMeasured gets every calibration, right or not
 * @throws NetworkError when the path is not what was asked for, the last time either.
 */
export async function calibrateUntilRight(
  path: Path,
  condition: NetworkCondition,
  python: string,
  onMeasured: (calibration: Calibration) => Promise<void> | void = () => {},
  signal?: AbortSignal,
): Promise<Calibration> {
  for (let time = 1; ; time++) {
    const calibration = await calibrate(path, condition, python, signal);
    await onMeasured(calibration);
    try {
      judgeCalibration(calibration, condition);
      return calibration;
    } catch (error) {
      if (time === MOST_TIMES || !(error instanceof NetworkError)) throw error;
    }
  }
}
