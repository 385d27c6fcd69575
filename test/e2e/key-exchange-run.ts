import assert from 'node:assert/strict';
import path from 'node:path';
import { experimentOf } from '../../experiments/index.ts';
import type { KeyExchange } from '../../ground/records/key-exchange.ts';
import { readObservations, readPackets, readRun } from '../../ground/records/read.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startProgram } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { assertStatusOf } from './whole-run.ts';

export const SITE = ['--sites', 'www.example.org'];

/** Measures once with this key exchange, and keeps all packets. */
export async function measure(keyExchange: KeyExchange, words: readonly string[], out: string) {
  const command = startProgram([
    ...[...words, '--key-exchange', keyExchange, '--rtt', '10', '--repetitions', '1'],
    ...['--packets', 'all', '--out', out],
  ]);
  const status = await command.ended;
  await assertNoProcessLeft(command);
  const { observations } = await readObservations(out, experimentOf(await readRun(out)));
  assertStatusOf(observations, status, command.output());
}

/** Whether every connection of a command has X25519MLKEM768 where that is requested. */
export function assertPostQuantum(words: readonly string[]): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    await measure('x25519mlkem768', words, out);
    const { observations } = await readObservations(out, experimentOf(await readRun(out)));
    const ok = observations.flatMap(({ id, outcome }) => (outcome === 'ok' ? [id] : []));
    assert.ok(ok.length >= 3, observations.map(({ message }) => message).join('; '));
    const sent = new Map((await readPackets(out)).map(({ id, connections }) => [id, connections]));
    for (const id of ok) {
      const groups = (sent.get(id) ?? []).map(({ group }) => group);
      assert.deepEqual([...new Set(groups)], ['X25519MLKEM768'], id);
    }
  });
}
