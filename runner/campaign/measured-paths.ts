import type { Path } from '../../network/path.ts';
import type { Trial } from '../../records/run.ts';
import type { MeasuredPath } from '../observation.ts';
import type { Surroundings } from '../surroundings.ts';
import type { OpenInvocation } from './open-invocation.ts';

/** What the path was measured to be under each condition, once in a round. */
export class MeasuredPaths {
  readonly #path: Path;
  readonly #invocation: OpenInvocation;
  readonly #surroundings: Pick<Surroundings, 'calibrate'>;
  readonly #found = new Map<string, MeasuredPath>();
  #round = '';

  constructor(
    path: Path,
    invocation: OpenInvocation,
    surroundings: Pick<Surroundings, 'calibrate'>,
  ) {
    this.#path = path;
    this.#invocation = invocation;
    this.#surroundings = surroundings;
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
    const condition = { ...network, seed: CALIBRATION_SEED };
    await this.#path.apply(condition);
    const { udpRttMs, late } = await this.#surroundings.calibrate(this.#path, condition, {
      onMeasured: (calibration) => results.appendCalibration({ subject, ...calibration }),
      onLate: (why) => progress.pathLate(why),
    });
    this.#found.set(network.name, { measuredRttMs: udpRttMs.median, pathLate: late });
  }
}

// Probes that are lost are sent again, so it matters to no result.
const CALIBRATION_SEED = 1;
