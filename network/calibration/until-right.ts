import type { Calibration } from '../../ground/records/calibration.ts';
import { NetworkError } from '../../ground/system/errors.ts';
import type { NetworkCondition } from '../conditions.ts';
import type { Path } from '../path.ts';
import { calibrate, type Measurement } from './calibrate.ts';
import { judgeCalibration } from './judge.ts';

/** A machine may be so late that no probe at all is on time, hardly three times in a row; a path that is wrong stays wrong. */
const MOST_TIMES_WRONG = 3;
const PATIENCE_MS = 20_000;
/** Over all of them: one takes a second, and some 20 s on the slowest path that can be asked for. */
const LIMIT_MS = 120_000;

export interface CalibrationOptions {
  /** Gets every calibration, right or not. */
  onMeasured?: (calibration: JudgedCalibration) => Promise<void> | void;
  /** Told once, when the machine is waited for, by what it was late. */
  onLate?: (late: string) => void;
  patienceMs?: number;
  signal?: AbortSignal;
}

export type JudgedCalibration = Measurement & Required<Pick<Calibration, 'late'>>;

/**
 * Measures a path until it is found to be what was asked for by a machine that is not late. After 20 s a late machine is
 * waited for no longer: the path is right then, and `late` says by what the machine was late.
 * @throws NetworkError when the path was wrong three times in a row, or is broken or too slow.
 */
export async function calibrateUntilRight(
  path: Path,
  condition: NetworkCondition,
  python: string,
  options: CalibrationOptions = {},
): Promise<JudgedCalibration> {
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
  condition: NetworkCondition,
  python: string,
  { onMeasured, onLate, patienceMs = PATIENCE_MS, signal }: CalibrationOptions,
): Promise<JudgedCalibration> {
  const beganMs = performance.now();
  let timesWrong = 0;
  let told = false;
  for (;;) {
    const thisBeganMs = performance.now();
    const measurement = await calibrate(path, condition, python, signal);
    const { wrong, late } = judgeCalibration(measurement, condition);
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
    if (!told) onLate?.(late);
    told = true;
  }
}
