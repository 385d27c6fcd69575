import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pidOf } from '../../experiments/measuring.ts';
import { withServers } from '../../runner/servers.ts';
import { ensureLeaves } from '../leaves.ts';
import { listeningAddresses } from '../long/abuse/process-facts.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loopbackAddresses } from './loopback.ts';
import { writeFixtureSite } from './site-fixture.ts';
import { reportSkippedStacks, STACKS_HERE } from './tested-stacks.ts';

const HOSTS = ['www.listening.test', 'static.listening.test'];

test('listens with every server at the given addresses and nowhere else', (t) =>
  withTemporaryFolder(async (temporary) => {
    reportSkippedStacks(t);
    const siteFolder = path.join(temporary, 'listening');
    const certsFolder = path.join(temporary, 'certs');
    await writeFixtureSite(
      siteFolder,
      HOSTS.map((host) => ({ url: `https://${host}/`, body: host })),
    );
    await ensureLeaves(HOSTS, certsFolder);
    const options = {
      stacks: STACKS_HERE,
      site: 'listening',
      siteFolder,
      certsFolder,
      addresses: loopbackAddresses(HOSTS),
      enter: [],
      logsFolder: temporary,
    };
    await withServers(options, async (servers) => {
      for (const server of servers) {
        const { stack, origins } = server;
        assert.equal(Object.keys(origins).length, HOSTS.length);
        const listening = await listeningAddresses(pidOf(server));
        assert.deepEqual(listening, Object.values(origins).sort(), stack.stack);
      }
    });
  }));
