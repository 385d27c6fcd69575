import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pidOf } from '../../experiments/measuring.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { type Machine, readMachine } from '../../runner/machine.ts';
import { type Server, withServers } from '../../runner/servers.ts';
import type { ExchangeRequest, ExchangeResponse } from '../e2e/clients/exchange.ts';
import { exchangeH1 } from '../e2e/clients/h1.ts';
import { exchangeH2 } from '../e2e/clients/h2.ts';
import { exchangeH3 } from '../e2e/clients/h3.ts';
import { loopbackAddresses } from '../e2e/loopback.ts';
import { type FixtureResource, writeFixtureSite } from '../e2e/site-fixture.ts';
import { reportSkippedStacks, STACKS_HERE } from '../e2e/tested-stacks.ts';
import { ensureLeaves } from '../leaves.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import type { Target } from './abuse/attack.ts';
import { attackServer } from './abuse/attack-server.ts';
import { listeningAddresses } from './abuse/process-facts.ts';
import { laySecrets } from './abuse/secrets.ts';
import { abuseTables } from './abuse/table.ts';

const MINUTES = Number(process.env.ABUSE_MINUTES ?? 10);
const SEED = Number(process.env.ABUSE_SEED ?? 1);
/** Absent: all that are set up. */
const ONLY = process.env.ABUSE_STACKS?.split(',');
const ATTACK_MS = 3000;
const VISIT_LIMIT_MS = 30_000;
const REST_MS = 60_000;
const ALLOWED_GROWTH_BYTES = 50 * 2 ** 20;

/**
 * The share of visits that attacks may delay; visits to other servers never. QUIC has one socket
 * for all: hundreds of thousands of datagrams a second leave no room for other clients.
 */
const HELD_UP_AT_MOST: Record<string, number> = { 'lsquic-h3': 1 / 50 };

const HOST = 'www.abuse.test';
const LARGE = '/large.bin';
const SMALL = '/';
const RESOURCES: FixtureResource[] = [
  {
    url: `https://${HOST}${SMALL}`,
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: '<!doctype html><title>abuse</title>'.repeat(100),
    gzip: true,
  },
  { url: `https://${HOST}/a.js?v=1`, headers: [['content-type', 'text/javascript']], body: 'a();' },
  { url: `https://${HOST}/beacon`, method: 'POST', body: 'thanks' },
  {
    url: `https://${HOST}${LARGE}`,
    headers: [['content-type', 'image/png']],
    body: Buffer.alloc(300_000, 'large'),
  },
];

const stacks = STACKS_HERE.filter(({ stack }) => ONLY?.includes(stack) ?? true);

test(`every server survives ${MINUTES} minutes of abuse and discloses nothing`, async (t) => {
  reportSkippedStacks(t);
  await withTemporaryFolder(async (temporary) => {
    const machine = readMachine();
    const sites = path.join(temporary, 'sites');
    const siteFolder = path.join(sites, 'abuse');
    const certsFolder = path.join(temporary, 'certs');
    const manifest = await writeFixtureSite(siteFolder, RESOURCES);
    await ensureLeaves([HOST], certsFolder);
    await mkdir(path.join(sites, 'other'));
    const secrets = await laySecrets(
      [temporary, sites, path.join(sites, 'other'), certsFolder],
      certsFolder,
      projectFolder,
    );
    const options = {
      stacks,
      site: 'abuse',
      siteFolder,
      certsFolder,
      enter: [],
      addresses: loopbackAddresses([HOST]),
      logsFolder: temporary,
    };
    await withServers(options, async (servers) => {
      for (const server of servers) await assertListeningAddresses(server);
      const ordeals = await Promise.all(
        servers.map((server) =>
          attackServer({
            machine,
            server,
            task: {
              target: targetOf(server, secrets.files),
              // The manifest lies in the site's folder, and must still not be served.
              secrets: [...secrets.texts, '"formatVersion"'],
              seed: SEED,
              only: process.env.ABUSE_ATTACKS,
            },
            attackMs: ATTACK_MS,
            durationMs: MINUTES * 60_000,
            visit: () => visit(machine, server, manifest.resources),
            visitLimitMs: VISIT_LIMIT_MS,
            heldUpAtMost: HELD_UP_AT_MOST[server.stack.stack] ?? 0,
            restMs: REST_MS,
            allowedGrowthBytes: ALLOWED_GROWTH_BYTES,
          }),
        ),
      );
      const tables = abuseTables(ordeals, MINUTES, SEED);
      t.diagnostic(`\n${tables}`);
      if (process.env.ABUSE_REPORT) await writeFile(process.env.ABUSE_REPORT, `${tables}\n`);
      for (const server of servers) await assertListeningAddresses(server);
      const faults = ordeals.flatMap(({ stack, faults: of }) =>
        of.map((each) => `${stack}: ${each}`),
      );
      assert.deepEqual(faults, []);
    });
  });
});

/** A server listens only at its own addresses. */
async function assertListeningAddresses(server: Server): Promise<void> {
  const { origins, stack } = server;
  assert.deepEqual(
    await listeningAddresses(pidOf(server)),
    Object.values(origins).sort(),
    stack.stack,
  );
}

function targetOf({ stack, origins }: Server, secretFiles: string[]): Target {
  const [ip = '', port] = (origins[HOST] ?? '').split(':');
  const paths = { small: SMALL, large: LARGE };
  // HTTP/1.0 gives the same.
  const protocol = stack.protocol === 'h3' || stack.protocol === 'h2' ? stack.protocol : 'http/1.1';
  return { host: HOST, ip, port: Number(port), protocol, paths, secretFiles };
}

/** Requests everything that the site has, and something that it lacks. */
async function visit(
  machine: Machine,
  server: Server,
  resources: readonly { url: string; method: string; sha256: string | null }[],
): Promise<void> {
  const requests = resources.map(({ url, method }): ExchangeRequest => {
    const { pathname, search } = new URL(url);
    return { host: HOST, method, path: `${pathname}${search}` };
  });
  const missing = { host: HOST, method: 'GET', path: '/missing' };
  const answers = await exchange(machine, server, [...requests, missing]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...resources.map(() => 200), 404],
  );
  assert.deepEqual(
    answers.slice(0, -1).map(({ sha256 }) => sha256),
    resources.map(({ sha256 }) => sha256),
  );
}

function exchange(
  machine: Machine,
  { stack, origins }: Server,
  requests: readonly ExchangeRequest[],
): Promise<ExchangeResponse[]> {
  switch (stack.protocol) {
    case 'h3':
      return exchangeWithRetry(() => exchangeH3(machine.bun, origins, requests));
    case 'h2':
      return exchangeH2(origins, requests);
    case 'http/1.1':
    case 'http/1.0':
      return exchangeH1(origins, requests);
    default:
      throw new Error(`${stack.protocol} has no requests`);
  }
}

/** A QUIC client gives up after 10 s without a response to its handshake; users would retry. */
async function exchangeWithRetry<Answers>(send: () => Promise<Answers>): Promise<Answers> {
  const endMs = performance.now() + VISIT_LIMIT_MS;
  while (true) {
    try {
      return await send();
    } catch (error) {
      const unheard = (error as Error).message.includes('handshake timed out');
      if (!unheard || performance.now() > endMs) throw error;
    }
  }
}
