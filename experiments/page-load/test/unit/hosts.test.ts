import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Http3Tests } from '../../../../cache/http3.ts';
import type { Resource, SiteManifest } from '../../../../cache/manifest.ts';
import type { HostsByProtocol } from '../../../../ground/records/hosts-by-protocol.ts';
import type { Protocol } from '../../../../ground/records/protocol.ts';
import type { PlanRecord } from '../../../../ground/records/run.ts';
import { UsageError } from '../../../../ground/system/errors.ts';
import type { SiteToLoad } from '../../../subjects.ts';
import { hostCautions, problemOfHosts, unmeasuredHosts, withHosts } from '../../hosts.ts';

const ARMS: { protocol: Protocol }[] = [{ protocol: 'h3' }, { protocol: 'h2' }];
const SPEAKS = { announcedBy: ['alt-svc'], refusal: null } satisfies Http3Tests[string];
const SILENT = { announcedBy: ['alt-svc'], refusal: 'no answer' } satisfies Http3Tests[string];
const UNANNOUNCED = { announcedBy: [], refusal: null } satisfies Http3Tests[string];

function site(
  url: string,
  further: readonly string[],
  http3?: Http3Tests,
  resources: Partial<Resource>[] = [],
): SiteToLoad {
  return {
    planned: { subject: new URL(url).hostname, url } as SiteToLoad['planned'],
    manifest: { url, resources, ...(http3 && { http3 }) } as SiteManifest,
    folder: '',
    hosts: [new URL(url).host, ...further],
  };
}

const SHOP = site('https://www.shop.test/', ['fonts.test', 'stats.test', 'ads.test'], {
  'www.shop.test': SPEAKS,
  'fonts.test': SPEAKS,
  'stats.test': SILENT,
  'ads.test': UNANNOUNCED,
});

type Choice = Parameters<typeof withHosts>[1];

/** Hosts by protocol of these sites. */
async function hostsOf(
  sites: SiteToLoad[],
  choice?: Choice,
  arms: { protocol: Protocol }[] = ARMS,
) {
  const chosen = await withHosts(sites, choice, arms);
  return chosen.map(({ planned }) => planned.hostsByProtocol);
}

const RECORDED = { h3: ['www.shop.test', 'fonts.test'], h2: ['stats.test', 'ads.test'] };

test('a host uses HTTP/3 as recorded if it announced it and a handshake worked', async () => {
  assert.deepEqual(await hostsOf([SHOP]), [RECORDED]);
  assert.deepEqual(await hostsOf([SHOP], 'as-recorded'), [RECORDED]);
});

test('a page behind a redirect is judged by the host of its document', async () => {
  const [first, last] = ['https://shop.test/', 'https://www.tea.test/'];
  const http3 = { 'shop.test': UNANNOUNCED, 'www.tea.test': SPEAKS, 'cdn.tea.test': SILENT };
  const moved = site(first, ['www.tea.test', 'cdn.tea.test', 'ads.test'], http3, [
    { method: 'GET', url: first, status: 301, headers: [['location', last]] },
    { method: 'GET', url: last, status: 200, headers: [] },
  ]);
  const [recorded] = await hostsOf([moved]);
  assert.deepEqual(recorded?.h3, ['www.tea.test']);
  const [own] = await hostsOf([moved], 'own');
  assert.deepEqual(own?.h3, ['shop.test', 'www.tea.test', 'cdn.tea.test']);
});

test('all hosts use HTTP/3 on request, and those of a site that does not know its hosts', async () => {
  const unknown = site('https://a.test/', []);
  assert.deepEqual(await hostsOf([SHOP], 'all'), [undefined]);
  assert.deepEqual(await hostsOf([SHOP, unknown]), [RECORDED, undefined]);
  await assert.rejects(hostsOf([SHOP, unknown], 'as-recorded'), (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /hosts of a\.test .*npm run record -- https:\/\/a\.test\/.*own/);
    return true;
  });
});

test('a run names the pages whose hosts are unknown, and what it leaves open about hosts', () => {
  const known = { subject: 'shop.test', kind: 'recorded', hostsByProtocol: RECORDED };
  const unknown = { subject: 'a.test', kind: 'imported' };
  const [shipped, arms] = [{ ...unknown, kind: 'package' }, ARMS];
  const runOf = (subjects: object[], hosts?: Choice, own: object[] = arms) =>
    ({ subjects, arms: own, choices: hosts ? { hosts } : {} }) as unknown as PlanRecord;
  assert.match(
    hostCautions(runOf([known, unknown, shipped])).join(' '),
    /which hosts of a\.test speak/,
  );
  for (const run of [
    runOf([known, shipped]),
    runOf([unknown], 'all'),
    runOf([unknown], undefined, [{ protocol: 'h2' }]),
  ]) {
    assert.deepEqual(hostCautions(run), []);
  }
  const all = 'which hosts of the page have HTTP/3 (here all)';
  assert.deepEqual(unmeasuredHosts(runOf([unknown])), [all]);
  assert.deepEqual(unmeasuredHosts(runOf([known, unknown])), [
    'which hosts of a.test have HTTP/3 (here all)',
    'HTTP/3 on hosts that did not speak it when recorded (here it is used by www.shop.test, fonts.test)',
  ]);
  const whole = { subject: 'b.test', hostsByProtocol: { h3: ['b.test'], h2: [] } };
  assert.deepEqual(unmeasuredHosts(runOf([whole])), []);
  assert.deepEqual(unmeasuredHosts(runOf([whole, known], 'own')), [
    'HTTP/3 on hosts of other domains (here it is used by www.shop.test, fonts.test)',
  ]);
});

test('nothing is chosen for arms that are all over TCP', async () => {
  assert.deepEqual(await hostsOf([SHOP], undefined, [{ protocol: 'h2' }]), [undefined]);
});

test('own hosts have the registrable domain of the page, not its last two labels', async () => {
  const ownOf = async (url: string, further: readonly string[]) =>
    (await hostsOf([site(url, further)], 'own'))[0];
  assert.deepEqual(await ownOf('https://www.shop.co.uk/', ['img.shop.co.uk', 'other.co.uk']), {
    h3: ['www.shop.co.uk', 'img.shop.co.uk'],
    h2: ['other.co.uk'],
  });
  assert.deepEqual(await ownOf('https://a.github.io/', ['b.github.io']), {
    h3: ['a.github.io'],
    h2: ['b.github.io'],
  });
  assert.deepEqual(await ownOf('https://shop.test/', ['static.shop.test']), {
    h3: ['shop.test', 'static.shop.test'],
    h2: [],
  });
});

test('the only own host of a page at an address or a name without a domain is its host', async () => {
  for (const url of ['https://127.0.0.1/', 'https://localhost/']) {
    const { host } = new URL(url);
    assert.deepEqual(await hostsOf([site(url, ['127.0.0.2', 'cdn.test'])], 'own'), [
      { h3: [host], h2: ['127.0.0.2', 'cdn.test'] },
    ]);
  }
});

test('a page whose own host did not speak HTTP/3 is refused as recorded, and loaded with own', async () => {
  const old = site('https://old.test/', ['fonts.test'], {
    'old.test': SILENT,
    'fonts.test': SPEAKS,
  });
  for (const choice of ['as-recorded', undefined] as const) {
    await assert.rejects(
      hostsOf([old], choice),
      /^UsageError: old\.test: .* did not speak HTTP\/3 at the recording \(no answer\).*--hosts own/,
    );
  }
  assert.deepEqual(await hostsOf([old], 'own'), [{ h3: ['old.test'], h2: ['fonts.test'] }]);
});

test('hosts over HTTP/2 need arms of one protocol, each compared with an arm over HTTP/2', () => {
  const hosts: HostsByProtocol = { h3: ['a.test'], h2: ['b.test'] };
  const problem = (arms: Record<string, Protocol>, baseline: string, h2 = hosts.h2) =>
    problemOfHosts({
      subjects: [{ subject: 'a.test', hostsByProtocol: { ...hosts, h2 } }],
      arms: Object.entries(arms).map(([arm, protocol]) => ({ arm, protocol, controlOf: null })),
      analysis: { baseline },
    } as unknown as PlanRecord);
  assert.equal(problem({ q: 'h3', t: 'h2' }, 't'), null);
  assert.equal(problem({ q: 'h3', t: 'h2', old: 'http/1.1' }, 't'), null);
  assert.match(
    problem({ q: 'h3', t: 'h2' }, 'q') ?? '',
    /b\.test.* q is not compared .*--baseline/,
  );
  assert.match(problem({ q: 'h3', t: 'http/1.1' }, 't') ?? '', /q is not compared .*--hosts all/);
  assert.match(
    problem({ q: 'h2+h3', t: 'h2' }, 't') ?? '',
    /in q the browser chooses.*--hosts all/,
  );
  assert.equal(problem({ q: 'h2+h3', t: 'h2' }, 't', []), null);
});
