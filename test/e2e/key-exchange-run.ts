import assert from 'node:assert/strict';
import type { KeyExchange } from '../../ground/records/key-exchange.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { readPackets } from '../../ground/records/read.ts';
import { type EndedRun, withRun } from './with-run.ts';

export const SITE = '--sites www.example.org';

/** The words of a run that measures once with this key exchange, and keeps all packets. */
export function wordsOf(keyExchange: KeyExchange, words: string): string {
  return `${words} --key-exchange ${keyExchange} --rtt 10 --repetitions 1 --packets all`;
}

/** Asserts that every connection of a command uses X25519MLKEM768 on request. */
export function assertPostQuantum(words: string): Promise<void> {
  return withRun(wordsOf('x25519mlkem768', words), assertGroups);
}

/** Asserts that every connection of the attempts uses X25519MLKEM768. */
export async function assertGroups({ out, observations }: EndedRun<Observation>): Promise<void> {
  const ok = observations.flatMap(({ id, outcome }) => (outcome === 'ok' ? [id] : []));
  assert.ok(ok.length >= 3, observations.map(({ message }) => message).join('; '));
  const sent = new Map((await readPackets(out)).map(({ id, connections }) => [id, connections]));
  for (const id of ok) {
    const groups = (sent.get(id) ?? []).map(({ group }) => group);
    assert.deepEqual([...new Set(groups)], ['X25519MLKEM768'], id);
  }
}
