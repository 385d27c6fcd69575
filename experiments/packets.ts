import { setTimeout as sleep } from 'node:timers/promises';
import type { Experiment } from '../ground/experiment.ts';
import type { RunChoices, Trial } from '../ground/records/run.ts';
import { CLIENT_ADDRESS } from '../network/addresses.ts';
import { randomsWithoutSecrets } from '../network/handshakes/key-log.ts';
import type { Problem } from './checks.ts';
import { type Bench, serverOf } from './measuring.ts';
import { trialText } from './trial-text.ts';

/** A client writes its keys at once, but another thread of it may do so. */
const KEYS_LIMIT_MS = 500;
const KEYS_POLL_MS = 20;

/** Whether the packets of a trial are captured. */
export function capturesPackets(
  { packets = 'none' }: Pick<RunChoices, 'packets'>,
  { warmup }: Pick<Trial, 'warmup'>,
): boolean {
  return packets === 'warm-ups' ? warmup : packets !== 'none';
}

/** What writing packets takes of a bench. */
interface FileWriter extends Pick<Bench, 'servers' | 'choices' | 'versions' | 'warn' | 'signal'> {
  path: Pick<Bench['path'], 'answeredRandoms' | 'writeCapture'>;
  results: Pick<Bench['results'], 'writePackets'>;
}

/** The files of an attempt. */
export interface FilesWritten {
  /** Kind to the path relative to the run's folder. */
  files: Record<string, string>;
  /** Why a file that the attempt must have could not be written; null: all were. */
  failure: Problem | null;
}

/** Of an attempt whose packets were not captured. */
export const NO_PACKETS: FilesWritten = { files: {}, failure: null };

/**
 * Writes the packets of an attempt, where they are captured, before the next one begins.
 * @param readKeyLog gives the text of the client's key log as it is by then
 */
export async function writePackets(
  trial: Trial,
  experiment: Pick<Experiment, 'clientNoun' | 'factors'>,
  readKeyLog: () => Promise<string>,
  { path, servers, results, choices, versions, warn, signal }: FileWriter,
): Promise<FilesWritten> {
  if (!capturesPackets(choices, trial)) return NO_PACKETS;
  const { captureHeader } = await import('../network/capture-header.ts');
  const text = trialText(trial, experiment);
  try {
    const randoms = await path.answeredRandoms();
    const { keyLog, missing } = await keysOf(randoms, readKeyLog);
    const locked = `The keys of ${missing.length} of ${randoms.length} connections are missing.`;
    const header = captureHeader({
      program: `quic-vs-https ${versions['quic-vs-https'] ?? ''}`.trim(),
      comment: missing.length === 0 ? text : `${text}\n${locked}`,
      names: namesOf(serverOf(trial.arm, servers).origins, experiment.clientNoun),
      keyLog,
    });
    const file = await results.writePackets(trial.id, header, async (unfinished) => {
      const { missed } = await path.writeCapture(unfinished);
      if (missed > 0) warn(`Packets of ${text} are incomplete: there was no room for ${missed}.`);
    });
    return { files: { packets: file }, failure: null };
  } catch (error) {
    signal?.throwIfAborted();
    const message = `No packets could be written: ${(error as Error).message}`;
    return { files: {}, failure: { code: 'packets-failed', message } };
  }
}

/** The key log as soon as it has the secrets of all connections, or when it is not to be waited for any longer. */
async function keysOf(randoms: readonly string[], readKeyLog: () => Promise<string>) {
  for (const startMs = performance.now(); ; await sleep(KEYS_POLL_MS)) {
    const keyLog = await readKeyLog();
    const missing = randomsWithoutSecrets(randoms, keyLog);
    if (missing.length === 0 || performance.now() - startMs > KEYS_LIMIT_MS)
      return { keyLog, missing };
  }
}

/** The names of all addresses; where hosts share one, it has several. */
function namesOf(
  origins: Readonly<Record<string, string>>,
  clientNoun: string,
): Map<string, string[]> {
  const byAddress = Map.groupBy(Object.entries(origins), ([, address]) =>
    address.slice(0, address.lastIndexOf(':')),
  );
  return new Map([
    [CLIENT_ADDRESS, [clientNoun]],
    ...[...byAddress].map(([address, own]): [string, string[]] => [
      address,
      own.map(([host]) => hostname(host)),
    ]),
  ]);
}

/** A host may have a port. */
function hostname(host: string): string {
  return host.replace(/:\d+$/, '');
}
