import assert from 'node:assert/strict';
import path from 'node:path';
import { ensureCertificates } from '../../certs/certificates.ts';
import { buildHar } from '../../clients/chromium/har/build.ts';
import type { HarEntry } from '../../clients/har/har.ts';
import type { Stack } from '../../ground/stack.ts';
import { addressOfHost } from '../../network/addresses.ts';
import { NOTHING_ADDED } from '../../network/conditions.ts';
import { withNetwork } from '../../network/network.ts';
import { readMachine } from '../../runner/machine.ts';
import { withServers } from '../../runner/servers.ts';
import { loadOnce } from './one-load.ts';

const machine = readMachine();

/**
 * Requests of one load in Chromium over a path.
 * @param url the site's document; all of the site is on its host
 * @param folder has the site in `site`
 */
export async function loadOverPath(
  stack: Stack,
  url: string,
  folder: string,
  condition: Partial<typeof NOTHING_ADDED>,
): Promise<HarEntry[]> {
  const host = new URL(url).host;
  const certsFolder = await ensureCertificates(
    [host],
    { chain: 'small', origins: 'own' },
    path.join(folder, 'certs'),
  );
  const network = { python: machine.python, hosts: 1, congestionControl: 'cubic', initcwnd: null };
  return withNetwork({ ...network, backend: 'auto' }, async (networkPath) => {
    await networkPath.apply({ ...NOTHING_ADDED, ...condition, seed: 1 });
    const options = {
      machine,
      siteFolder: path.join(folder, 'site'),
      certsFolder,
      site: 'site',
      stacks: [stack],
      addresses: { [host]: addressOfHost(0) },
      enter: networkPath.agent.enter('server'),
      logsFolder: folder,
    };
    return withServers(options, async ([server]) => {
      assert.ok(server);
      const enter = networkPath.agent.enter('client');
      const { events, failure } = await loadOnce(server, url, {
        chromium: machine.chromium,
        enter,
      });
      assert.equal(failure, null);
      const about = { site: 'site', stack: stack.stack, url, comment: '', browserVersion: '' };
      return buildHar(events, { ...about, creatorVersion: '' }).log.entries;
    });
  });
}
