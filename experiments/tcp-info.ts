import type { Experiment } from '../ground/experiment.ts';
import type { RunChoices, Trial } from '../ground/records/run.ts';
import type { Bench, ReadyServer } from './measuring.ts';
import { trialText } from './trial-text.ts';

/** Sampling interval of TCP_INFO during attempts at a server, in ms; null: no sampling. */
export function tcpInfoMs(
  { tcpInfoMs = null }: Pick<RunChoices, 'tcpInfoMs'>,
  { stack }: Pick<ReadyServer, 'stack'>,
): number | null {
  return stack.protocol === 'h3' ? null : tcpInfoMs;
}

interface FileWriter extends Pick<Bench, 'choices' | 'warn' | 'signal'> {
  path: Pick<Bench['path'], 'writeTcpInfo'>;
  results: Pick<Bench['results'], 'writeTcpInfo'>;
}

/**
 * Writes the samples of TCP_INFO of an attempt. An error is only a warning: the attempt counts.
 * @returns the file by its kind, `tcpInfo`
 */
export async function writeTcpInfo(
  trial: Trial,
  experiment: Pick<Experiment, 'factors'>,
  server: Pick<ReadyServer, 'stack'>,
  { path, results, choices, warn, signal }: FileWriter,
): Promise<Record<string, string>> {
  if (tcpInfoMs(choices, server) === null) return {};
  const text = trialText(trial, experiment);
  try {
    const tcpInfo = await results.writeTcpInfo(trial.id, async (file) => {
      const { missed } = await path.writeTcpInfo(file);
      if (missed > 0)
        warn(`TCP_INFO of ${text} is incomplete: the buffer had no room for ${missed} samples.`);
    });
    return { tcpInfo };
  } catch (error) {
    signal?.throwIfAborted();
    warn(`No TCP_INFO of ${text} could be written: ${(error as Error).message}`);
    return {};
  }
}
