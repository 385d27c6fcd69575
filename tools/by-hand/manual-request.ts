import { listSites } from '../../cache/catalogue.ts';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import type { RawOptions } from '../../ground/options/row.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { UsageError } from '../../ground/system/errors.ts';
import type { SeededCondition } from '../../network/conditions.ts';
import { type Options, optionsOf } from '../../runner/options.ts';
import { assertKnown, isOfCache } from '../../runner/plan.ts';
import { SITE_BY_HAND_OPTIONS } from './site-options.ts';

/** Options of a run with one stack and one network. */
export interface ManualRequest {
  options: Options;
  condition: SeededCondition;
}

/**
 * Reads the options of a manual command as a run reads them.
 * @param given options that a run has too
 * @throws UsageError as for a run
 */
export function readManualRequest(given: RawOptions): ManualRequest {
  const options = optionsOf({ given: { ...defaultNetwork(given), ...given } }, pageLoad, {});
  const { networks, seed } = options;
  const [network] = networks;
  if (network === undefined || networks.length > 1) throw new Error('not one network');
  return { options, condition: { ...network, seed } };
}

/**
 * Reads the options of a manual command that serves a site: `--stack` is a run's `--stacks` with one stack.
 * @throws UsageError as for a run, and for more than one site or stack, or an unknown site
 */
export function readSiteRequest(site: string, { stack, ...given }: RawOptions): ManualRequest {
  // These readers accept less than those of a run.
  const { stack: stacks } = valuesOf(SITE_BY_HAND_OPTIONS, { stack, ...given });
  const request = withManualOptionNames(() => readManualRequest({ ...given, sites: site, stacks }));
  const { options } = request;
  if (options.subjects.length !== 1) {
    throw new UsageError(
      `Only one site at a time: ${site} means ${options.subjects.length}, ${options.subjects.join(', ')}.`,
    );
  }
  assertKnown(options.subjects.filter(isOfCache), new Set(listSites()));
  if (options.stacks.length !== 1)
    throw new UsageError(`--stack ${stacks}: only one stack at a time.`);
  return request;
}

function withManualOptionNames(read: () => ManualRequest): ManualRequest {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replaceAll('--stacks', '--stack'));
  }
}

function defaultNetwork({ network }: RawOptions): RawOptions {
  return network === undefined ? { rtt: '0' } : {};
}
