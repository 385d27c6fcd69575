// Makes the recordings next to it again, from real connections over a real path: npx node
// record.ts. Requires openssl and everything for page loads.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostsOf } from '../../../../../cache/manifest.ts';
import { startChild } from '../../../../../ground/system/child-process.ts';
import { addressOfHost } from '../../../../../network/addresses.ts';
import { readMachine } from '../../../../../runner/machine.ts';
import { withLoggedLoad } from '../../../../e2e/one-load.ts';
import { type PathBench, withPathBench } from '../../../../e2e/path-bench.ts';
import { withTemporaryFolder } from '../../../../temporary-folder.ts';

const URL = 'https://www.handshakes.test/';
const DOCUMENT = {
  url: URL,
  type: 'document' as const,
  body: '<!doctype html><link rel="icon" href="data:,">',
  headers: [['content-type', 'text/html']] as [string, string][],
};
const TLS_PORT = '4433';

/** Two loads, all connections closed in between. */
async function recordLoads(
  { manifest, networkPath, servers }: PathBench,
  name: string,
  { stack, tlsMost }: { stack: string; tlsMost: '1.2' | '1.3' },
): Promise<void> {
  const server = servers.find((each) => each.stack.stack === stack);
  if (!server) throw new Error(`no ${stack}`);
  const visit = { url: manifest.url, hosts: hostsOf(manifest), kind: 'resumed' as const };
  const enter = networkPath.agent.enter('client');
  const settings = { chromium: readMachine().chromium, enter, tlsMost };
  await withLoggedLoad(
    server,
    visit,
    settings,
    async () => {},
    ({ keyLogFile }) => write(networkPath, name, readFileSync(keyLogFile, 'utf8')),
  );
}

/**
 * Connections of openssl to openssl: the later ones send early data with the session of the first.
 */
async function recordOpenssl(
  { networkPath }: PathBench,
  name: string,
  { server, clients }: { server: string[]; clients: string[][] },
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const [key, cert, session, early] = ['key', 'cert', 'session', 'early'].map((file) =>
      path.join(folder, file),
    ) as [string, string, string, string];
    writeFileSync(early, 'GET / HTTP/1.0\r\n\r\n');
    execFileSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-subj',
      '/CN=www.handshakes.test',
    ]);
    const start = (end: 'client' | 'server', args: string[]) => {
      const [program = '', ...enter] = networkPath.agent.enter(end);
      const child = startChild(program, [...enter, 'openssl', ...args]);
      child.process.stdout?.resume();
      child.process.stderr?.resume();
      return child;
    };
    for (const [index, client] of clients.entries()) {
      // A new server each time, without knowledge of the session.
      const serving = start('server', [
        's_server',
        '-accept',
        TLS_PORT,
        '-key',
        key,
        '-cert',
        cert,
        ...server,
      ]);
      await sleep(500);
      const connecting = start('client', [
        's_client',
        '-connect',
        `${addressOfHost(0)}:${TLS_PORT}`,
        '-servername',
        'www.handshakes.test',
        '-alpn',
        'http/1.1',
        ...client,
        ...(index === 0 ? ['-sess_out', session] : ['-sess_in', session, '-early_data', early]),
      ]);
      await sleep(1000);
      await connecting.stop(1000);
      await serving.stop(1000);
    }
    await write(networkPath, name, '');
  });
}

async function write({ agent }: PathBench['networkPath'], name: string, keyLog: string) {
  const { packets } = await agent.takePackets();
  const recorded = packets.map(({ toServer, bytes }) => ({
    toServer,
    bytes: bytes.toString('base64'),
  }));
  const file = path.join(import.meta.dirname, `${name}.json`);
  writeFileSync(file, `${JSON.stringify({ packets: recorded, keyLog }, null, 2)}\n`);
}

await withPathBench([DOCUMENT], async (bench) => {
  const load = (name: string, stack: string, tlsMost: '1.2' | '1.3') =>
    recordLoads(bench, name, { stack, tlsMost });
  await load('h3-full-then-early-data', 'lsquic-h3', '1.3');
  await load('h2-full-then-resumed', 'bun-h2', '1.3');
  await load('h2-full-then-resumed-tls-1-2', 'bun-h2', '1.2');
  const early = ['-early_data', '-max_early_data', '4096'];
  await recordOpenssl(bench, 'openssl-early-data-to-another-server', {
    server: early,
    clients: [[], []],
  });
  await recordOpenssl(bench, 'openssl-asked-for-another-hello', {
    server: ['-groups', 'P-384'],
    clients: [['-groups', 'X25519:P-384']],
  });
});
