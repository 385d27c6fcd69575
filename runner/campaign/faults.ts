import type { Observation } from '../../records/observation.ts';
import { EXIT, ExitError } from '../../system/exit-status.ts';

/** Too many loads in a row failed in the same way: something is wrong that no new start mends. */
export class FaultsError extends ExitError {
  override name = 'FaultsError';
  readonly exitStatus: number;

  constructor(message: string, code: string) {
    super(message);
    this.exitStatus = EXIT_OF_CODE[code] ?? EXIT.someLoadsNotOk;
  }
}

const EXIT_OF_CODE: Readonly<Record<string, number>> = {
  'server-failed': EXIT.server,
  'other-server-failed': EXIT.server,
  'network-failed': EXIT.network,
};

/** A load failed: whatever it was that broke, path and servers are started again. */
export class LoadFault extends Error {
  override name = 'LoadFault';
}

/** Counts failures of the same kind in a row. */
export class Faults {
  readonly #limit: number;
  #code: string | null = null;
  #inRow = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Takes note of a load.
   * @throws FaultsError when it is one failure too many
   */
  note({ outcome, code, message }: Pick<Observation, 'outcome' | 'code' | 'message'>): void {
    if (outcome !== 'failed' || code === null) {
      this.#code = null;
      this.#inRow = 0;
      return;
    }
    this.#inRow = code === this.#code ? this.#inRow + 1 : 1;
    this.#code = code;
    if (this.#inRow < this.#limit) return;
    throw new FaultsError(
      `${this.#inRow} loads in a row failed in the same way (${code}), so the run stops. The last one: ${message}\n` +
        'What was measured is kept. When the cause is fixed, continue with --resume; --stop-after sets how many failures it takes.',
      code,
    );
  }
}
