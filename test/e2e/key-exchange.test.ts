import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { KEY_EXCHANGE_GROUPS, type KeyExchange } from '../../ground/records/key-exchange.ts';
import { readPackets } from '../../ground/records/read.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startProgram } from './command.ts';
import { SITE, wordsOf } from './key-exchange-run.ts';
import { reportSkippedStacks, STACKS_HERE } from './tested-stacks.ts';
import { assertStatusOf } from './whole-run.ts';
import { runToEnd } from './with-run.ts';

/** A server's addition to its key of X25519: the ciphertext of ML-KEM-768 (FIPS 203, table 3). */
const CIPHERTEXT_BYTES = 1088;

/** Signatures, tickets and transport parameters vary in length. */
const OTHERWISE_BYTES = 30;

const VISITS = ['cold', 'resumed'];

/**
 * Bytes of the server's handshake for every kind of visit to every stack; stacks with a disturbed
 * load are measured again.
 */
async function handshakeBytes(
  keyExchange: KeyExchange,
  stacks: readonly string[],
  out: string,
  moreRuns = 2,
): Promise<Map<string, number>> {
  const words = `benchmark ${SITE} --stacks ${stacks} --visit ${VISITS} --warm-ups 0`;
  const run = await runToEnd<PageLoad>(wordsOf(keyExchange, words), out);
  assertStatusOf(run.observations, run.status, run.output);
  const sent = new Map((await readPackets(out)).map(({ id, connections }) => [id, connections]));
  const found = new Map<string, number>();
  for (const { id, arm, outcome, factors, details } of run.observations) {
    if (outcome !== 'ok') continue;
    assert.equal(details?.traffic?.keyExchangeGroup, KEY_EXCHANGE_GROUPS[keyExchange], id);
    const [connection] = sent.get(id) ?? [];
    found.set(`${arm}, ${factors.visit}`, connection?.toClient.handshakeBytes ?? Number.NaN);
  }
  const left = stacks.filter((stack) => VISITS.some((visit) => !found.has(`${stack}, ${visit}`)));
  if (left.length === 0) return found;
  assert.ok(moreRuns > 0, `no load of ${left.join()} was ok`);
  const remaining = await handshakeBytes(keyExchange, left, `${out}-again`, moreRuns - 1);
  return new Map([...remaining, ...found]);
}

test('agrees with every capable stack on the requested key exchange, and a post-quantum one makes its handshake a kilobyte longer, on resumed visits too', (t) =>
  withTemporaryFolder(async (folder) => {
    reportSkippedStacks(t);
    const stacks = STACKS_HERE.flatMap(({ stack, keyExchanges }) => (keyExchanges ? [stack] : []));
    const [usual, postQuantum] = [
      await handshakeBytes('x25519', stacks, path.join(folder, 'x25519')),
      await handshakeBytes('x25519mlkem768', stacks, path.join(folder, 'x25519mlkem768')),
    ];
    for (const [which, bytes] of postQuantum) {
      const more = bytes - (usual.get(which) ?? Number.NaN);
      assert.ok(
        Math.abs(more - CIPHERTEXT_BYTES) <= OTHERWISE_BYTES,
        `${which}: ${more} bytes more`,
      );
    }
  }));

test('gets a resource of a cached site with the requested key exchange', async () => {
  for (const stack of ['lsquic-h3', 'bun-h2']) {
    const words = ['--stack', stack, '--key-exchange', 'x25519mlkem768'];
    const command = startProgram(['get', 'https://www.example.org/', ...words]);
    assert.equal(await command.ended, 0, command.output());
    assert.match(command.output(), /X25519MLKEM768; full handshake/);
  }
});
