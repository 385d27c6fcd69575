import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { ensureCertificates } from '../../certs/certificates.ts';
import type { Stack } from '../../ground/stack.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { NOTHING_ADDED } from '../../network/conditions.ts';
import { withNetwork } from '../../network/network.ts';
import { readMachine } from '../../runner/machine.ts';
import { withServers } from '../../runner/servers.ts';
import { MATCHED_TRANSPORT } from '../../servers/index.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loadOnce } from './one-load.ts';
import { captureOf } from './path-capture.ts';
import { writeFixtureSite } from './site-fixture.ts';
import { reportSkippedStacks, STACKS_HERE } from './tested-stacks.ts';

const HOST = 'www.paced.test';
const URL = `https://${HOST}/`;
const RTT_MS = 30;
const WINDOW = MATCHED_TRANSPORT.initialWindowPackets;
/** More than the first window. */
const DOCUMENT_BYTES = 100_000;
const FULL_FRAME_BYTES = 1400;
/** A busy machine spreads a burst. */
const MOST_LOADS = 4;
/** The kernel paces twice the window per round trip, after the first ten segments. */
const UNPACED = 10;
/** Of the first flight, without those of the handshake, which a stack may spread over segments. */
const SEGMENTS = 22;
const PACED_MS = ((SEGMENTS - 1 - UNPACED) * RTT_MS) / (2 * WINDOW);
const BURST_MS = 0.3 * PACED_MS;

/** Programs that accept connections each in their way, if they are set up. */
const STACKS = STACKS_HERE.filter(({ stack }) =>
  ['bun-h2', 'go-h2', 'flask-h1', 'caddy-h2', 'envoy-h2'].includes(stack),
);

/** Shortest duration of the same part of the first flight of each server, at the client's end. */
async function flightsMs(stacks: readonly Stack[], folder: string): Promise<Map<Stack, number>> {
  const machine = readMachine();
  const siteFolder = path.join(folder, 'site');
  await writeFixtureSite(siteFolder, [
    {
      url: URL,
      type: 'document',
      headers: [['content-type', 'text/html']],
      body: `<!doctype html><link rel="icon" href="data:,">${randomBytes(DOCUMENT_BYTES).toString('base64')}`,
    },
  ]);
  const certsFolder = await ensureCertificates(
    [HOST],
    { chain: 'small', origins: 'own' },
    path.join(folder, 'certs'),
  );
  const network = {
    python: machine.python,
    hosts: 1,
    congestionControl: 'cubic',
    initcwnd: WINDOW,
  };
  return withNetwork({ ...network, backend: 'auto' }, async (made) => {
    const { agent } = made;
    const options = {
      stacks,
      siteFolder,
      certsFolder,
      site: 'site',
      addresses: { [HOST]: addressOfHost(0) },
      enter: agent.enter('server'),
      logsFolder: folder,
      paceTcp: agent.paceTcp,
    };
    return withServers(options, async (servers) => {
      const found = new Map<Stack, number>();
      const settings = { chromium: machine.chromium, enter: agent.enter('client') };
      for (const server of servers) {
        let leastMs = Number.POSITIVE_INFINITY;
        for (let load = 0; load < MOST_LOADS && leastMs > BURST_MS; load++) {
          await made.apply({ ...NOTHING_ADDED, rttMs: RTT_MS, seed: 1 }, { captures: true });
          assert.equal((await loadOnce(server, URL, settings)).failure, null);
          await made.count();
          const { packets } = await captureOf(made);
          const segments = packets.filter(
            ({ outbound, frame }) => !outbound && frame.length > FULL_FRAME_BYTES,
          );
          const [first, last] = [segments[UNPACED], segments[SEGMENTS - 1]];
          assert.ok(first && last);
          leastMs = Math.min(leastMs, Number(last.timeNs - first.timeNs) / 1e6);
          if (server.stack.settings?.pacesTcp) break;
        }
        found.set(server.stack, leastMs);
      }
      return found;
    });
  });
}

test('paces the first flight of servers over TCP with this setting, and sends it at once without', (t) =>
  withTemporaryFolder(async (folder) => {
    reportSkippedStacks(t);
    const paced = STACKS.map((stack) => ({ ...stack, settings: { pacesTcp: true } }));
    for (const [{ stack, settings }, flightMs] of await flightsMs([...STACKS, ...paced], folder)) {
      const isPaced = settings?.pacesTcp === true;
      t.diagnostic(`${stack}${isPaced ? ', paced' : ''}: ${flightMs.toFixed(2)} ms`);
      assert.ok(
        isPaced ? flightMs > 0.9 * PACED_MS : flightMs < BURST_MS,
        `${stack}: ${flightMs} ms`,
      );
    }
  }));
