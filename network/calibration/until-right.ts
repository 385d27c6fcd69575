import type { Calibration } from '../../ground/records/calibration.ts';
import { NetworkError } from '../../ground/system/errors.ts';
import type { SeededCondition } from '../conditions.ts';
import type { Path } from '../path.ts';
import { assessCalibration } from './assess.ts';
import { calibrate, type Measurement } from './calibrate.ts';

/** A late machine (a busy one that delays packets) rarely delays all probes three times in a row; a wrong path stays wrong. */
const MOST_TIMES_WRONG = 3;
const LATE_TIMEOUT_MS = 20_000;
/** For all measurements: one usually takes a second, on the slowest path about 20 s. */
const LIMIT_MS = 120_000;

export interface CalibrationOptions {
  onMeasured?: (calibration: AssessedCalibration) => Promise<void> | void;
  /** Called once with the lateness when the machine is waited for. */
  onLate?: (late: string) => void;
  patienceMs?: number;
  signal?: AbortSignal;
}

export type AssessedCalibration = Measurement & Required<Pick<Calibration, 'late'>>;

/**
 * Measures a path until it is right and the machine is not late. Waits at most 20 s for a late machine: then `late`
 * of the result describes the lateness.
 * @throws NetworkError if the path was wrong three times in a row, has failed or is too slow
 */
export async function calibrateUntilRight(
  path: Path,
  condition: SeededCondition,
  python: string,
  options: CalibrationOptions = {},
): Promise<AssessedCalibration> {
  const tooLong = new AbortController();
  const message = `The measurement of the path took longer than ${LIMIT_MS / 1000} s.`;
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
