import type { Experiment } from '../ground/experiment.ts';
import { linkTable } from '../ground/records/link-file.ts';
import type { LinkSample } from '../ground/records/link-sample.ts';
import { limitKbps, PATH_DIRECTIONS } from '../ground/records/network.ts';
import type { Trial } from '../ground/records/run.ts';
import type { Bench } from './measuring.ts';
import { trialText } from './trial-text.ts';

/** What the link has carried since it was set for an attempt; null: nothing limited it, or this backend does not tell. */
export async function linkSamples(
  { network }: Pick<Trial, 'network'>,
  { path }: { path: Pick<Bench['path'], 'samples'> },
): Promise<readonly LinkSample[] | null> {
  const isLimited = PATH_DIRECTIONS.some((direction) => limitKbps(network, direction) !== null);
  return isLimited ? path.samples() : null;
}

/** What writing samples takes of a bench. */
interface FileWriter extends Pick<Bench, 'warn' | 'signal'> {
  results: Pick<Bench['results'], 'writeLink'>;
}

/**
 * Writes what the link carried in an attempt. What could not be written the user is told, and the attempt counts all the same.
 * @returns the file by its kind, `link`
 */
export async function writeLink(
  trial: Trial,
  experiment: Pick<Experiment, 'factors'>,
  link: readonly LinkSample[] | null,
  { results, warn, signal }: FileWriter,
): Promise<Record<string, string>> {
  if (link === null) return {};
  try {
    return { link: await results.writeLink(trial.id, linkTable(link)) };
  } catch (error) {
    signal?.throwIfAborted();
    const what = trialText(trial, experiment);
    warn(`What the link carried of ${what} could not be written: ${(error as Error).message}`);
    return {};
  }
}
