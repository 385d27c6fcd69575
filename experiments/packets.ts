import { setTimeout as sleep } from 'node:timers/promises';
import type { Experiment } from '../ground/experiment.ts';
import type { RunChoices, Trial } from '../ground/records/run.ts';
import { CLIENT_ADDRESS } from '../network/addresses.ts';
import { randomsWithoutSecrets } from '../network/handshakes/key-log.ts';
import type { Problem } from './checks.ts';
import { type Bench, serverOf } from './measuring.ts';
import { trialText } from './trial-text.ts';

/** Clients write their keys at once, but possibly in another thread. */
const KEYS_LIMIT_MS = 500;
const KEYS_POLL_MS = 20;

export function capturesPackets(
  { packets = 'none' }: Pick<RunChoices, 'packets'>,
  { warmup, filmed }: Pick<Trial, 'warmup' | 'filmed'>,
): boolean {
  if (filmed) return false;
  return packets === 'warm-ups' ? warmup : packets !== 'none';
}

interface FileWriter extends Pick<Bench, 'servers' | 'choices' | 'versions' | 'warn' | 'signal'> {
  path: Pick<Bench['path'], 'answeredRandoms' | 'writeCapture'>;
  results: Pick<Bench['results'], 'writePackets'>;
}

export interface FilesWritten {
  /** Kind to the path relative to the run's folder. */
  files: Record<string, string>;
  /** Why a required file could not be written; null: all were. */
  failure: Problem | null;
}

export const NO_PACKETS: FilesWritten = { files: {}, failure: null };

/**
 * Writes the captured packets of an attempt, before the next one begins.
 * @param readKeyLog returns the current text of the client's key log
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
      if (missed > 0)
        warn(`Packets of ${text} are incomplete: the buffer had no room for ${missed}.`);
    });
    return { files: { packets: file }, failure: null };
  } catch (error) {
    signal?.throwIfAborted();
    const message = `No packets could be written: ${(error as Error).message}`;
    return { files: {}, failure: { code: 'packets-failed', message } };
  }
}

/** Waits until the key log has the secrets of all connections, for at most KEYS_LIMIT_MS. */
async function keysOf(randoms: readonly string[], readKeyLog: () => Promise<string>) {
  for (const startMs = performance.now(); ; await sleep(KEYS_POLL_MS)) {
    const keyLog = await readKeyLog();
    const missing = randomsWithoutSecrets(randoms, keyLog);
    if (missing.length === 0 || performance.now() - startMs > KEYS_LIMIT_MS)
      return { keyLog, missing };
  }
}

/** Host names by address; hosts may share an address. */
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

function hostname(host: string): string {
  return host.replace(/:\d+$/, '');
}
