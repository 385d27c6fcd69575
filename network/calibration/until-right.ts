import type { Calibration } from '../../ground/records/calibration.ts';
import { NetworkError } from '../../ground/system/errors.ts';
import type { SeededCondition } from '../conditions.ts';
import type { Path } from '../path.ts';
import { assessCalibration } from './assess.ts';
import { calibrate, type Measurement } from './calibrate.ts';

/** A machine may be so late that no probe at all is on time, hardly three times in a row; a path that is wrong stays wrong. */
const MOST_TIMES_WRONG = 3;
const LATE_TIMEOUT_MS = 20_000;
/** Over all of them: one takes a second, and some 20 s on the slowest path that can be asked for. */
const LIMIT_MS = 120_000;

export interface CalibrationOptions {
  /** Gets every calibration, right or not. */
  onMeasured?: (calibration: AssessedCalibration) => Promise<void> | void;
  /** Told once, when the machine is waited for, by what it was late. */
  onLate?: (late: string) => void;
  patienceMs?: number;
  signal?: AbortSignal;
}

export type AssessedCalibration = Measurement & Required<Pick<Calibration, 'late'>>;

/**
 * Measures a path until it is found to be what was asked for by a machine that is not late. After 20 s a late machine is
 * waited for no longer: the path is right then, and `late` says by what the machine was late.
 * @throws NetworkError when the path was wrong three times in a row, or is broken or too slow.
 */
export async function calibrateUntilRight(
  path: Path,
  condition: SeededCondition,
  python: string,
  options: CalibrationOptions = {},
): Promise<AssessedCalibration> {
  const tooLong = new AbortController();
  const message = `The path was not measured to the end within ${LIMIT_MS / 1000} s.`;
  const timer = setTimeout(() => tooLong.abort(new NetworkError(message)), LIMIT_MS);
  const signals = [tooLong.signal, ...(options.signal ? [options.signal] : [])];
  const signal = AbortSignal.any(signals);
  try {
    return await measureUntilRight(path, condition, python, { ...options, signal });
  } finally {
    clearTimeout(timer);
  }
}

async function measureUntilRight(
  path: Path,
  condition: SeededCondition,
  python: string,
  { onMeasured, onLate, patienceMs = LATE_TIMEOUT_MS, signal }: CalibrationOptions,
): Promise<AssessedCalibration> {
  const beganMs = performance.now();
  let timesWrong = 0;
  let isReported = false;
  for (;;) {
    const thisBeganMs = performance.now();
    const measurement = await calibrate(path, condition, python, signal);
    const { wrong, late } = assessCalibration(measurement, condition);
    const calibration = { ...measurement, late };
    await onMeasured?.(calibration);
    timesWrong = wrong === null ? 0 : timesWrong + 1;
    if (wrong !== null) {
      if (timesWrong === MOST_TIMES_WRONG) throw new NetworkError(wrong);
      continue;
    }
    // Another measurement would take as long as this one.
    const endMs = performance.now() + (performance.now() - thisBeganMs);
    if (late === null || endMs - beganMs > patienceMs) return calibration;
    if (!isReported) onLate?.(late);
    isReported = true;
  }
}
