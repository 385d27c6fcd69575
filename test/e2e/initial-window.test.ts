import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { Stack } from '../../ground/stack.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loadOverPath } from './load-over-path.ts';
import { writeFixtureSite } from './site-fixture.ts';
import { reportSkippedStacks, STACKS_HERE } from './tested-stacks.ts';

const URL = 'https://www.window.test/';
/** Long enough for a busy machine: what a round trip brings is counted. */
const RTT_MS = 400;
const DOCUMENT_BYTES = 300_000;
/** Range of the packets in which libraries count their windows. */
const PACKET_BYTES = { least: 1100, most: 1500 };

/**
 * Bytes of the document that arrive within a round trip after its headers. A busy machine commits the page late, and then
 * reads what came meanwhile as one first chunk: the time of the headers comes from the network process.
 */
async function firstFlightBytes(stack: Stack, folder: string): Promise<number> {
  const [document] = await loadOverPath(stack, URL, folder, { rttMs: RTT_MS });
  assert.ok(document);
  const { blocked, dns, connect, send, wait } = document.timings;
  const headersMs = [blocked, dns, connect, send, wait].reduce(
    (sum, partMs) => sum + Math.max(0, partMs ?? 0),
    0,
  );
  const early = (document._chunks ?? []).filter(({ ts }) => ts < headersMs + 0.9 * RTT_MS);
  return early.reduce((sum, { bytes }) => sum + bytes, 0);
}

test('receives from every server over QUIC what its declared initial window lets it send', (t) =>
  withTemporaryFolder(async (folder) => {
    reportSkippedStacks(t);
    await writeFixtureSite(path.join(folder, 'site'), [
      {
        url: URL,
        type: 'document',
        headers: [['content-type', 'text/html']],
        body: `<!doctype html><link rel="icon" href="data:,">${'x'.repeat(DOCUMENT_BYTES)}`,
      },
    ]);
    for (const stack of STACKS_HERE) {
      if (stack.protocol !== 'h3' || !stack.transport) continue;
      const packets = stack.transport.initialWindowPackets;
      const bytes = await firstFlightBytes(stack, folder);
      t.diagnostic(`${stack.stack}: ${bytes} bytes, declared ${packets} packets`);
      assert.ok(
        bytes > packets * PACKET_BYTES.least && bytes < packets * PACKET_BYTES.most,
        `${stack.stack} sent ${bytes} bytes in the first round trip, declared ${packets} packets`,
      );
    }
  }));
