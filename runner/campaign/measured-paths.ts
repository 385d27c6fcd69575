import { calibrateUntilRight } from '../../network/calibration/until-right.ts';
import type { Path } from '../../network/path.ts';
import type { Trial } from '../../records/run.ts';
import type { MeasuredPath } from '../observation.ts';
import type { OpenInvocation } from './open-invocation.ts';

/** What the path was measured to be under each condition, once in a round. */
export class MeasuredPaths {
  readonly #path: Path;
  readonly #invocation: OpenInvocation;
  readonly #options: { python: string; signal: AbortSignal };
  readonly #found = new Map<string, MeasuredPath>();
  #round = '';

  constructor(
    path: Path,
    invocation: OpenInvocation,
    options: { python: string; signal: AbortSignal },
  ) {
    this.#path = path;
    this.#invocation = invocation;
    this.#options = options;
  }

  isMeasured({ network }: Trial): boolean {
    return this.#found.has(network.name);
  }

  /** As a load's record has it. */
  readonly of = ({ network }: Trial): MeasuredPath => {
    const found = this.#found.get(network.name);
    if (!found) throw new Error(`no path was measured for ${network.name}`);
    return found;
  };

  /**
   * Measures the path of a trial, if it has not been in this round.
   * @throws NetworkError when the path is not what was asked for.
   */
  async measure({ subject, network }: Trial, round: string): Promise<void> {
    if (round !== this.#round) this.#found.clear();
    this.#round = round;
    if (this.#found.has(network.name)) return;
    const { results, progress } = this.#invocation;
    const { python, signal } = this.#options;
    const condition = { ...network, seed: CALIBRATION_SEED };
    await this.#path.apply(condition);
    const { udpRttMs, late } = await calibrateUntilRight(this.#path, condition, python, {
      onMeasured: (calibration) => results.appendCalibration({ subject, ...calibration }),
      onLate: (why) => progress.pathLate(why),
      signal,
    });
    this.#found.set(network.name, { measuredRttMs: udpRttMs.median, pathLate: late });
  }
}

// Probes that are lost are sent again, so it matters to no result.
const CALIBRATION_SEED = 1;
