import path from 'node:path';
import { BUN_CONNECT } from '../../clients/bun/connect.ts';
import type { RunValues } from '../../ground/options/common.ts';
import { readHosts } from '../../ground/options/hosts.ts';
import type { LIVE_OPTIONS } from '../../ground/options/live.ts';
import type { Given, OptionTable } from '../../ground/options/row.ts';
import { trustOf } from '../../ground/options/trust.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { readMachine } from '../../runner/machine.ts';
import { realFolder } from '../../runner/real-folder.ts';
import { resultsFolder } from '../../runner/results.ts';
import { probeCommand } from './command.ts';

/** Of each question, unless --timeout says otherwise: who answers at all does so within a few round trips. */
const TIMEOUT_MS = 5_000;

const PROBED_WITH = ['probe', 'live', 'trust', 'timeout', 'out'];

/**
 * Asks the hosts of a command line what they speak. Answers the exit status.
 * @throws UsageError for hosts and options that make no sense
 */
export async function probeHosts(
  operands: readonly string[],
  given: Given,
  options: OptionTable,
  told: { print: (line: string) => void; signal: AbortSignal },
): Promise<number> {
  const values = valuesOf(options, given) as RunValues<typeof LIVE_OPTIONS>;
  const other = Object.keys(given).find((name) => !PROBED_WITH.includes(name));
  if (other !== undefined) {
    throw new UsageError(
      `--${other} does not go with --probe, which asks always the same. Beside it: ${PROBED_WITH.map((name) => `--${name}`).join(', ')}.`,
    );
  }
  if (operands.length === 0)
    throw new UsageError('--probe: which hosts? Name them: HOST, or @FILE.');
  const name = `probe-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`;
  return probeCommand(readHosts(operands), {
    timeoutMs: given.timeout === undefined ? TIMEOUT_MS : 1000 * values.timeout,
    out: values.out === null ? path.join(resultsFolder, name) : realFolder('out', values.out),
    trust: trustOf(values),
    quicClient: [readMachine().bun, BUN_CONNECT],
    ...told,
  });
}
