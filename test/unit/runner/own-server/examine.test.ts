import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { ensureCertificates } from '../../../../certs/certificates.ts';
import type { ResourceRequest, ResourceResponse } from '../../../../clients/examiner.ts';
import type { Protocol } from '../../../../ground/records/protocol.ts';
import { ServerError } from '../../../../ground/system/errors.ts';
import {
  type Examination,
  examine,
  warningOfStarted,
} from '../../../../runner/own-server/examine.ts';
import { ownStack } from '../../../../servers/own-stack.ts';
import { withTemporaryFolder } from '../../../temporary-folder.ts';

const PAGE = 'https://www.a.test/';
const URL_OF_SERVER = 'https://203.0.113.7:8443';

const NOTHING: ResourceResponse = {
  error: null,
  alpn: null,
  certificates: [],
  isChainWhole: false,
  status: null,
  headers: [],
  bodyBase64: '',
  bodyBytes: 0,
};

const DOCUMENT = { url: PAGE, method: 'GET', status: 200, headers: [], body: null };

/** Examines a server with these responses. */
function examined(
  answer: (request: ResourceRequest) => ResourceResponse,
  more: object = {},
  [name, protocol]: [string, Protocol] = ['mine-h3', 'h3'],
  further: readonly object[] = [],
  complete = false,
) {
  return examine({
    stack: ownStack(name, protocol, { url: URL_OF_SERVER }),
    url: URL_OF_SERVER,
    reach: { ip: '203.0.113.7', port: 8443, isHere: false },
    site: {
      planned: { subject: 'www.a.test' },
      manifest: { url: PAGE, complete, resources: [{ ...DOCUMENT, ...more }, ...further] },
      folder: '/none',
      hosts: ['www.a.test'],
    },
    examiner: { request: async (request: ResourceRequest) => answer(request) },
    agent: { run: async () => '' },
    tlsMost: '1.3',
  } as unknown as Examination);
}

/** The problem of a server with these responses; null: no problem. */
async function saidOf(...server: Parameters<typeof examined>): Promise<string | null> {
  const error = await examined(...server).then(
    () => null,
    (thrown) => thrown,
  );
  if (error === null) return null;
  assert.ok(error instanceof ServerError);
  return error.message;
}

const OVER_TCP: ResourceResponse = { ...NOTHING, alpn: 'h2', status: 200 };

test('reports HTTP/2 for a server that is silent over UDP and answers over TCP', async () => {
  const error = { layer: 'udp', code: 'timeout', reason: 'Expected an answer, got none.' } as const;
  const said = await saidOf(({ transport }) =>
    transport === 'quic' ? { ...NOTHING, error } : OVER_TCP,
  );
  assert.match(
    said ?? '',
    /Expected an answer, got none\. It speaks h2 at that port: configure it for h3/,
  );
});

test('does not report it for one that agreed on HTTP/3 and then timed out, despite its other protocols', async () => {
  const error = { layer: 'http', code: 'timeout', reason: 'Expected a body, got none.' } as const;
  const said = await saidOf(({ transport }) =>
    transport === 'quic' ? { ...NOTHING, alpn: 'h3', error } : OVER_TCP,
  );
  assert.match(said ?? '', /Expected a body, got none\..* npm run doctor/);
  assert.doesNotMatch(said ?? '', /It speaks/);
});

test('accepts a page recorded behind a bounce without it, and nothing else in its place', () =>
  withTemporaryFolder(async (folder) => {
    await ensureCertificates(['www.a.test'], { chain: 'small', origins: 'own' }, folder);
    const pem = await readFile(path.join(folder, 'www.a.test.pem'));
    const certificates = [new X509Certificate(pem).raw.toString('base64')];
    const bounces = [{ cookie: 'seen', status: 302, headers: [['location', '/']], waitMs: 0 }];
    const said = (status: number) =>
      saidOf(() => ({ ...NOTHING, alpn: 'h3', certificates, status }), { bounces });
    assert.equal(await said(200), null);
    assert.equal(await said(302), null);
    assert.match((await said(404)) ?? '', /another site than www\.a\.test: .* status 302, got 404/);
    const warningOf = async (...headers: [string, string][]) =>
      (await examined(() => ({ ...NOTHING, alpn: 'h3', certificates, status: 200, headers })))
        .warning;
    assert.match((await warningOf()) ?? '', /^mine-h3 sends no alt-svc over HTTP\/3/);
    assert.equal(await warningOf(['alt-svc', 'h3=":443"; ma=60']), null);
  }));

test('requests by both versions from a server that offers both, which must advertise HTTP/3 at its own port', () =>
  withTemporaryFolder(async (folder) => {
    await ensureCertificates(['www.a.test'], { chain: 'small', origins: 'own' }, folder);
    const pem = await readFile(path.join(folder, 'www.a.test.pem'));
    const certificates = [new X509Certificate(pem).raw.toString('base64')];
    const said = (altSvc: string | null, spoken: readonly string[] = ['h2', 'h3']) =>
      saidOf(
        ({ protocol }) => ({
          ...NOTHING,
          certificates,
          alpn: spoken.includes(protocol) ? protocol : (spoken[0] ?? null),
          status: 200,
          headers: altSvc === null ? [] : [['alt-svc', altSvc]],
        }),
        {},
        ['mine-dual', 'h2+h3'],
      );
    assert.equal(await said('h3=":443"; ma=86400'), null);
    assert.match((await said(null)) ?? '', /over HTTP\/2 to have alt-svc: h3=":443".*no alt-svc/);
    assert.match((await said('h3=":8443"')) ?? '', /with the port of that URL, got h3=":8443"/);
    assert.match((await said('h3=":443"', ['h2'])) ?? '', /speak h3, as its name says, got h2/);
    assert.match((await said('h3=":443"', ['h3'])) ?? '', /speak h2, as its name says, got h3/);
  }));

test('requests one resource of each type of its host, but no icon, range or error', () =>
  withTemporaryFolder(async (folder) => {
    await ensureCertificates(['www.a.test'], { chain: 'small', origins: 'own' }, folder);
    const pem = await readFile(path.join(folder, 'www.a.test.pem'));
    const certificates = [new X509Certificate(pem).raw.toString('base64')];
    const further = [
      ['a.css', 'stylesheet', 200],
      ['b.css', 'stylesheet', 200],
      ['missing.js', 'script', 404],
      ['part.mp4', 'media', 206],
      ['favicon.ico', 'image', 204],
    ].map(([file, type, status]) => ({ ...DOCUMENT, url: `${PAGE}${file}`, type, status }));
    const examinedWith = async (missing: string, complete: boolean) => {
      const requested: string[] = [];
      const problem = await saidOf(
        ({ path: url }) => {
          requested.push(url);
          return { ...NOTHING, alpn: 'h3', certificates, status: url === missing ? 404 : 200 };
        },
        {},
        ['mine-h3', 'h3'],
        further,
        complete,
      );
      return { requested, problem };
    };
    const first = await examinedWith('/a.css', false);
    assert.deepEqual(first.requested, ['/', '/a.css']);
    assert.match(
      first.problem ?? '',
      /a\.css with status 200, got 404\. .* --to files writes them/,
    );
    assert.deepEqual(await examinedWith('/b.css', false), {
      requested: ['/', '/a.css'],
      problem: null,
    });
    // Every load of a complete site requests all of it.
    const whole = await examinedWith('/b.css', true);
    assert.match(whole.problem ?? '', /b\.css with status 200, got 404/);
  }));

test('warns of a started server that sends no Alt-Svc over HTTP/3', async () => {
  const warningOf = (response: Partial<ResourceResponse>) => {
    const addresses: string[] = [];
    const request = async ({ address }: ResourceRequest) => {
      addresses.push(address);
      return { ...NOTHING, ...response };
    };
    const server = {
      stack: ownStack('own-h3', 'h3', { program: '/a' }),
      origins: { 'www.a.test': '10.0.0.1:4430' },
    };
    const site = { manifest: { url: PAGE, resources: [DOCUMENT] } };
    const examining = { site, examiner: { request } } as unknown as Examination;
    return warningOfStarted(server, examining).finally(() =>
      assert.deepEqual(addresses, ['10.0.0.1:4430']),
    );
  };
  assert.match((await warningOf({})) ?? '', /^own-h3 sends no alt-svc over HTTP\/3/);
  assert.equal(await warningOf({ headers: [['alt-svc', 'h3=":443"']] }), null);
  const error = { layer: 'http', code: 'timeout', reason: 'It was late.' } as const;
  assert.equal(await warningOf({ error }), null);
});
