import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { hostsOf } from '../../../../cache/manifest.ts';
import type { HttpsRecord } from '../../../../ground/records/probe.ts';
import { readMachine } from '../../../../runner/machine.ts';
import { withServers } from '../../../../runner/servers.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';
import { lsquicH3 } from '../../../../servers/lsquic-h3/stack.ts';
import { writeFixtureSite } from '../../../../test/e2e/site-fixture.ts';
import { ensureLeaves } from '../../../../test/leaves.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { http3Line, testHttp3 } from '../../http3.ts';

const [PAGE, BY_DNS, SILENT, TCP, PLAIN] = ['www', 'dns', 'silent', 'tcp', 'plain'].map(
  (name) => `${name}.recorded.test`,
) as [string, string, string, string, string];

const RECORD: HttpsRecord = {
  priority: 1,
  target: '',
  alpn: ['h3', 'h2'],
  noDefaultAlpn: false,
  port: null,
  ipv4Hints: [],
  ipv6Hints: [],
  encryptedHello: false,
};

test('each host is tested by its announcements and a handshake', () =>
  withTemporaryFolder(async (folder) => {
    const siteFolder = path.join(folder, 'site');
    const hosts = [PAGE, BY_DNS, SILENT, TCP, PLAIN];
    const resources = hosts.map((host) => ({ url: `https://${host}/` }));
    const manifest = await writeFixtureSite(siteFolder, resources);
    assert.deepEqual(hostsOf(manifest), hosts);
    const certsFolder = path.join(folder, 'certs');
    await ensureLeaves(hosts, certsFolder);
    const addresses = Object.fromEntries(hosts.map((host) => [host, '127.0.9.51']));
    const where = { siteFolder, certsFolder, addresses, site: 'site', logsFolder: folder };
    await withServers({ ...where, enter: [], stacks: [lsquicH3, bunH2] }, async (servers) => {
      const originOf = (host: string, stack: string) =>
        servers.find((each) => each.stack.stack === stack)?.origins[host] ?? '';
      const exchange = (host: string, stack: string, altSvc?: (port: string) => string) => {
        const [serverAddress = '', port = ''] = originOf(host, stack).split(':');
        return {
          url: `https://${host}:${port}/`,
          headers: altSvc ? [['Alt-Svc', altSvc(port)] as [string, string]] : [],
          serverAddress,
        };
      };
      const asked: string[] = [];
      const found = await testHttp3(
        manifest,
        [
          exchange(PAGE, 'lsquic-h3', (port) => `h3=":${port}"; ma=60`),
          exchange(BY_DNS, 'lsquic-h3', () => 'h3=":443"; ma=0'),
          exchange(SILENT, 'lsquic-h3'),
          exchange(TCP, 'bun-h2', (port) => `h3=":${port}"`),
          { url: `http://${PLAIN}/`, headers: [['alt-svc', 'h3=":443"']] },
        ],
        {
          bun: readMachine().bun,
          signal: new AbortController().signal,
          async httpsRecords({ host }) {
            asked.push(host);
            if (host === SILENT) throw new Error('no name server');
            return host === BY_DNS ? [RECORD] : [];
          },
        },
      );
      const { refusal } = found[TCP] ?? {};
      assert.match(refusal ?? '', /nothing within 5 s/);
      assert.deepEqual(found, {
        [PAGE]: { announcedBy: ['alt-svc'], refusal: null },
        [BY_DNS]: { announcedBy: ['https-record'], refusal: null },
        [SILENT]: { announcedBy: [], refusal: null },
        [TCP]: { announcedBy: ['alt-svc'], refusal },
        [PLAIN]: { announcedBy: [], refusal: 'it was requested over http alone' },
      });
      assert.deepEqual(asked, [PAGE, BY_DNS, SILENT, TCP]);
      assert.equal(
        http3Line(found),
        `HTTP/3 is spoken by 2 of 5 hosts: ${PAGE}, ${BY_DNS}. Not by ${SILENT} (it does not announce HTTP/3), ${TCP} (${refusal}), ${PLAIN} (it was requested over http alone).`,
      );
    });
  }));
