import type { Experiment } from '../ground/experiment.ts';
import { linkTable } from '../ground/records/link-file.ts';
import type { LinkSample } from '../ground/records/link-sample.ts';
import { limitKbps, PATH_DIRECTIONS } from '../ground/records/network.ts';
import type { Trial } from '../ground/records/run.ts';
import type { Bench } from './measuring.ts';
import { trialText } from './trial-text.ts';

/** Samples of the link since it was set for an attempt; null: it has no limited rate, or the backend has no samples. */
export async function linkSamples(
  { network }: Pick<Trial, 'network'>,
  { path }: { path: Pick<Bench['path'], 'samples'> },
): Promise<readonly LinkSample[] | null> {
  const isLimited = PATH_DIRECTIONS.some((direction) => limitKbps(network, direction) !== null);
  return isLimited ? path.samples() : null;
}

interface FileWriter extends Pick<Bench, 'warn' | 'signal'> {
  results: Pick<Bench['results'], 'writeLink'>;
}

/**
 * Writes the samples of the link of an attempt. An error is only a warning: the attempt counts.
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
    const text = trialText(trial, experiment);
    warn(`No samples of the link of ${text} could be written: ${(error as Error).message}`);
    return {};
  }
}
