import type { Calibration } from '../../../records/calibration.ts';
import { NetworkError } from '../../errors.ts';
import type { NetworkCondition } from '../conditions.ts';
import type { Path } from '../path.ts';
import { calibrate } from './calibrate.ts';
import { judgeCalibration } from './judge.ts';

/** An idle virtual machine may be woken up late for some seconds, and a path that is wrong stays wrong. */
const MOST_TIMES = 3;
/** Over all of them: one takes a second, and some 20 s on the slowest path that can be asked for. */
const LIMIT_MS = 120_000;

/**
 * Measures a path until it is found to be what was asked for, at most three times and for two minutes.
 * @param onMeasured gets every calibration, right or not
 * @throws NetworkError when the path is not what was asked for, the last time either, or is broken or too slow.
 */
export async function calibrateUntilRight(
  path: Path,
  condition: NetworkCondition,
  python: string,
  onMeasured: (calibration: Calibration) => Promise<void> | void = () => {},
  signal?: AbortSignal,
): Promise<Calibration> {
  const late = new AbortController();
  const message = `The path was not measured to the end within ${LIMIT_MS / 1000} s.`;
  const timer = setTimeout(() => late.abort(new NetworkError(message)), LIMIT_MS);
  const signals = [late.signal, ...(signal ? [signal] : [])];
  try {
    return await measureUntilRight(path, condition, python, onMeasured, AbortSignal.any(signals));
  } finally {
    clearTimeout(timer);
  }
}

async function measureUntilRight(
  path: Path,
  condition: NetworkCondition,
  python: string,
  onMeasured: (calibration: Calibration) => Promise<void> | void,
  signal: AbortSignal,
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
