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

/**
 * Counts failures of the same kind in a row: takes note of a load.
 * @throws FaultsError, from the counting, when it is one failure too many
 */
export function countFaults(limit: number) {
  let last: string | null = null;
  let inRow = 0;
  return ({ outcome, code, message }: Pick<Observation, 'outcome' | 'code' | 'message'>): void => {
    const failure = outcome === 'failed' ? code : null;
    inRow = failure === last ? inRow + 1 : 1;
    last = failure;
    if (failure === null || inRow < limit) return;
    throw new FaultsError(
      `${inRow} loads in a row failed in the same way (${failure}), so the run stops. The last one: ${message}\n` +
        'What was measured is kept. When the cause is fixed, continue with --resume; --stop-after sets how many failures it takes.',
      failure,
    );
  };
}
