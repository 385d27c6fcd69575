import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { ensureCertificates } from '../../../../../certs/certificates.ts';
import { NO_FACTS } from '../../../../../ground/records/connection-attempt.ts';
import { withTemporaryFolder } from '../../../../../test/temporary-folder.ts';
import { assertEach } from '../../../../../test/unit/assert-each.ts';
import type { Answer, OriginAnswers, QuicAnswer, ServerAnswers } from '../../../http3/answers.ts';
import { commandLineOf, type Mode, type PageLoads } from '../../../http3/chromium.ts';
import { diagnose } from '../../../http3/command.ts';
import { readOrigin } from '../../../http3/origin.ts';

let pem = '';
before(() =>
  withTemporaryFolder(async (folder) => {
    await ensureCertificates(['a.test'], { chain: 'small', origins: 'own' }, folder);
    pem = await readFile(path.join(folder, 'a.test.pem'), 'utf8');
  }),
);

function got<T>(value: T): Answer<T> {
  return { value, failure: null };
}

function failed(layer: 'udp' | 'tls' | 'tcp' | 'http' | 'client', code: string): Answer<never> {
  return { value: null, failure: { layer, code, reason: `it was ${code}` } };
}

function loads(protocols: string[], more: Partial<PageLoads> = {}): PageLoads {
  return { protocols, error: null, quicEnds: [], hasQuic: false, verifications: [], ...more };
}

const H2 = loads(['h2', 'h2', 'h2']);
const H3 = loads(['h3']);
const SPOKEN: QuicAnswer = {
  address: '192.0.2.1',
  versions: got(['1']),
  http3: got({ ...NO_FACTS, alpn: 'h3', tlsVersion: 'TLS 1.3', status: 200 }),
};
const UNHEARD: QuicAnswer = {
  address: '192.0.2.1',
  versions: failed('udp', 'timeout'),
  http3: failed('udp', 'timeout'),
};

/** A server without fault, which Chromium reaches by HTTP/3 unless its loads differ. */
function judged({
  server = {},
  pageLoads = {},
  ...more
}: Partial<Omit<OriginAnswers, 'server' | 'loads'>> & {
  server?: Partial<ServerAnswers>;
  pageLoads?: Partial<Record<Mode, PageLoads>>;
} = {}) {
  const known = { error: '', problems: [], isKnownRoot: true, chain: [pem] };
  const { groups, verdict, speaks } = diagnose({
    browser: 'chromium',
    origin: readOrigin('a.test', null),
    at: new Date(),
    addresses: got(['192.0.2.1']),
    server: {
      address: '192.0.2.1',
      tls: got({ version: 'TLS 1.3', alpn: 'h2', chain: [new X509Certificate(pem).raw] }),
      http: got({ status: 200, altSvc: 'h3=":443"', location: null }),
      httpsRecords: got([]),
      quicPort: 443,
      misnamed: null,
      quic: [SPOKEN],
      ...server,
    },
    otherOverQuic: null,
    proxy: null,
    policies: [],
    pins: ['abc'],
    ...more,
    loads: {
      'as-is': loads(['h2', 'h3'], { verifications: [known] }),
      accepted: loads(['h2', 'h3']),
      forced: H3,
      ...pageLoads,
    },
  });
  const steps = groups.flatMap((group) => group.steps);
  const names = (status: string) =>
    steps.filter((step) => step.status === status).map(({ name }) => name);
  for (const { name, status, remedy } of steps) assert.ok(status !== 'lack' || remedy, name);
  return { steps, lacks: names('lack'), notes: names('note'), verdict, speaks };
}

const NO_H3 = {
  'as-is': H2,
  accepted: H2,
  forced: loads([''], { error: 'ERR_QUIC_PROTOCOL_ERROR' }),
};

test('recognizes a server without fault as one that Chromium reaches by HTTP/3', () => {
  const { lacks, notes, verdict, speaks } = judged();
  assert.deepEqual([lacks, notes], [[], []]);
  assert.equal(verdict, 'Chromium speaks HTTP/3 to it.');
  assert.ok(speaks);
});

test('lets Chromium decide: a defect that it tolerates is a note, and a refusal stays one', () => {
  const server = { quic: [UNHEARD], http: got({ status: 200, altSvc: null, location: null }) };
  assert.deepEqual(judged({ server }).lacks, []);
  assert.deepEqual(judged({ server }).notes, ['UDP', 'Alt-Svc']);
  const forcedAlone = judged({ server, pageLoads: { 'as-is': H2, accepted: H2 } });
  assert.deepEqual(forcedAlone.lacks, ['Alt-Svc']);
  assert.deepEqual(judged({ server, pageLoads: NO_H3 }).lacks, ['UDP', 'Alt-Svc']);
  const unexplained = judged({ pageLoads: NO_H3 });
  assert.deepEqual(unexplained.lacks, []);
  assert.ok(!unexplained.speaks);
  assert.match(
    unexplained.verdict,
    /does not speak .* no reason found above.*h2, then h2, then h2/,
  );
});

test('gives the verdict of the first cause with its remedy, and names later ones', () => {
  const { verdict } = judged({
    server: { quic: [UNHEARD], http: got({ status: 200, altSvc: null, location: null }) },
    pageLoads: NO_H3,
  });
  assert.match(
    verdict,
    /^Chromium does not speak HTTP\/3 to it, because: UDP port 443 of 192\.0\.2\.1 does not answer \(timeout\).*\. What to do: Open UDP port 443.*\. After that: Alt-Svc\.$/,
  );
});

test('distinguishes refused UDP, blocked UDP and one silent address of two', () => {
  const found = (quic: QuicAnswer[]) =>
    judged({ server: { quic }, pageLoads: NO_H3 }).steps.find(({ name }) => name === 'UDP')
      ?.found ?? '';
  const failing = (code: string): QuicAnswer => ({ ...UNHEARD, versions: failed('udp', code) });
  assert.match(found([failing('ECONNREFUSED')]), /is refused/);
  assert.match(found([failing('EPERM')]), /this machine blocks datagrams/);
  const other = { ...UNHEARD, address: '::1' };
  assert.match(found([other, SPOKEN]), /of ::1 does not answer, but .* of 192\.0\.2\.1 does/);
  const noVersions: QuicAnswer = { ...SPOKEN, versions: failed('udp', 'timeout') };
  assert.match(found([noVersions]), /answers$/);
});

test('does not decide by a client without a result whether UDP is answered', () => {
  const quicAnswer = (versions: QuicAnswer['versions']): QuicAnswer => ({
    ...UNHEARD,
    versions,
    http3: failed('client', 'client-failed'),
  });
  const of = (...quic: QuicAnswer[]) => {
    const { steps, lacks } = judged({ server: { quic }, pageLoads: NO_H3 });
    return { lacks, found: steps.find(({ name }) => name === 'UDP')?.found ?? '' };
  };
  const refused = of(quicAnswer(failed('udp', 'EACCES')));
  assert.deepEqual(refused.lacks, ['UDP']);
  assert.match(refused.found, /this machine blocks datagrams/);
  const silent = of(quicAnswer(failed('udp', 'timeout')));
  assert.deepEqual(silent.lacks, []);
  assert.match(silent.found, /^it is not known whether UDP port 443 of 192\.0\.2\.1 answers/);
  assert.match(of(quicAnswer(got(['1']))).found, /answers$/);
});

test('distinguishes other versions and protocols from a failing server', () => {
  const lack = (quic: QuicAnswer, quicEnds: PageLoads['quicEnds'] = []) => {
    const pageLoads = { ...NO_H3, forced: { ...NO_H3.forced, quicEnds } };
    const { steps } = judged({ server: { quic: [quic] }, pageLoads });
    const { name, found } = steps.find(({ status }) => status === 'lack') ?? {};
    return `${name}: ${found}`;
  };
  const refused = { error: 'QUIC_INVALID_VERSION', details: '', fromServer: false };
  assert.match(
    lack({ ...SPOKEN, versions: got(['2']) }, [refused]),
    /^QUIC version: the server offers version 2, and Chromium supports only version 1/,
  );
  const failing = (code: string): QuicAnswer => ({ ...SPOKEN, http3: failed('tls', code) });
  assert.match(lack(failing('no_application_protocol')), /^QUIC handshake: .*h3.*ALPN/);
  assert.match(lack(failing('protocol_version')), /^QUIC handshake: the server rejects TLS 1\.3/);
  assert.match(lack(failing('internal_error')), /^QUIC handshake: it was internal_error/);
  assert.match(lack({ ...SPOKEN, http3: failed('http', 'H3_ERROR') }), /^answer over h3: /);
});

test('distinguishes an unknown authority from one that only this machine trusts', () => {
  const found = (verification: Partial<PageLoads['verifications'][number]>) => {
    const seen = { error: '', problems: [], isKnownRoot: false, chain: [pem], ...verification };
    const pageLoads = { 'as-is': { ...H2, verifications: [seen] } };
    const { steps, lacks } = judged({ pageLoads });
    assert.deepEqual(lacks, ['authority']);
    const { found, remedy } = steps.find(({ name }) => name === 'authority') ?? {};
    assert.match(remedy ?? '', /spki-list=abc --origin-to-force-quic-on=a\.test:443 https:/);
    return found ?? '';
  };
  assert.match(found({}), /because this machine does/);
  const error = 'ERR_CERT_AUTHORITY_INVALID';
  assert.match(
    found({ error, problems: ['AUTHORITY_INVALID'] }),
    /^CN=a\.test was signed by CN=quic-vs-https local test authority, which the server did not send/,
  );
  assert.match(found({ error: 'ERR_CERT_REVOKED', problems: ['REVOKED'] }), /ERR_CERT_REVOKED/);
});

test('assesses a certificate over QUIC that differs from that over TCP separately', () => {
  const [error, problems, isKnownRoot] = ['', [], true];
  const { steps } = judged({
    origin: readOrigin('b.test', null),
    otherOverQuic: { error, problems, isKnownRoot, chain: [pem] },
    pageLoads: NO_H3,
  });
  const certificates = steps.filter(({ name }) => name === 'certificate');
  assertEach(certificates, ({ status }) => status, ['lack', 'lack']);
  assert.match(
    certificates[1]?.found ?? '',
    /^not the certificate of TCP: the certificate is not for b/,
  );
});

test('reports another server at the port of Alt-Svc', () => {
  const [error, problems, isKnownRoot] = ['', [], true];
  const other = {
    origin: readOrigin('b.test:21443', null),
    otherOverQuic: { error, problems, isKnownRoot, chain: [pem] },
    server: { quicPort: 22_443, tls: got({ version: 'TLS 1.3', alpn: 'h2', chain: [] }) },
  };
  const last = (pageLoads: Partial<Record<Mode, PageLoads>>) =>
    judged({ ...other, pageLoads }).steps.findLast(({ name }) => name === 'certificate');
  const { status, found, remedy } = last({ 'as-is': H2 }) ?? {};
  assert.equal(status, 'lack');
  assert.match(
    found ?? '',
    /^UDP port 22443, which Alt-Svc names, has another certificate .* not for b\.test/,
  );
  assert.match(remedy ?? '', /^Name port 21443 in Alt-Svc/);
  assert.doesNotMatch(last(NO_H3)?.remedy ?? '', /Name port/);
});

test('ranks causes on this machine before those on the server', () => {
  const server = { tls: failed('tcp', 'ECONNREFUSED'), http: failed('http', 'not-tried') };
  const pageLoads = { ...NO_H3, 'as-is': loads([''], { error: 'ERR_UNSAFE_PORT' }) };
  const { lacks } = judged({
    server,
    pageLoads,
    proxy: 'http://p.test:3128',
    policies: ['/etc/x.json'],
  });
  assert.deepEqual(lacks, ['port', 'policy', 'proxy', 'TCP and TLS']);
});

test('reports only a missing address for a name without one', () => {
  const { groups, verdict } = diagnose({
    browser: 'chromium',
    origin: readOrigin('a.test', null),
    at: new Date(),
    addresses: { value: null, failure: { layer: 'dns', code: 'ENOTFOUND', reason: 'unknown' } },
    server: null,
    otherOverQuic: null,
    proxy: null,
    policies: [],
    pins: [],
    loads: { 'as-is': loads(['']), accepted: loads(['']), forced: loads(['']) },
  });
  assertEach(groups, ({ title }) => title, ['This machine', 'Over TCP', 'Chromium']);
  assert.match(verdict, /because: a\.test has no address: unknown\. What to do: Check the name/);
});

test('quotes a URL as one word in a command line', () => {
  const origin = readOrigin("https://a.test/?a=1&b='$(c)", null);
  const line = commandLineOf(origin, 'as-is', []);
  assert.match(line, /user-data-dir=\$\(mktemp -d\) 'https:\/\/a\.test\/\?a=1&b=[^$]*\$\(c\)'$/);
  assert.doesNotMatch(line, /[^\\]'\$/);
});

test('reports an Alt-Svc port without HTTP/3 as a defect, and names the port with it as the remedy', () => {
  const origin = readOrigin('a.test:21443', null);
  const silent = { ...UNHEARD, versions: failed('udp', 'ECONNREFUSED') };
  const server = {
    http: got({ status: 200, altSvc: 'h3=":443"', location: null }),
    quicPort: 21_443,
    misnamed: { port: 443, quic: [silent] },
  };
  const pageLoads = { 'as-is': H2, accepted: H2 };
  const { lacks, verdict } = judged({ origin, server, pageLoads });
  assert.deepEqual(lacks, ['Alt-Svc']);
  assert.match(
    verdict,
    /h3=":443" names UDP port 443, where HTTP\/3 does not answer \(ECONNREFUSED\), and not port 21443.* What to do: Name port 21443/,
  );
  // The header may name both.
  const both = {
    ...server,
    http: got({ status: 200, altSvc: 'h3=":443", h3=":21443"', location: null }),
  };
  assert.match(
    judged({ origin, server: both, pageLoads }).verdict,
    /, before port 21443, where QUIC answers/,
  );
  // Another server with another protocol listens there.
  const other = { ...SPOKEN, http3: failed('tls', 'no_application_protocol') };
  const misnamed = { port: 443, quic: [other] };
  assert.match(
    judged({ origin, server: { ...server, misnamed }, pageLoads }).verdict,
    /no_application/,
  );
  // Chromium uses another alternative of the header.
  assert.deepEqual(judged({ origin, server, pageLoads: { 'as-is': H2 } }).lacks, []);
  // Neither port has HTTP/3: forced QUIC shows nothing about the port of Alt-Svc.
  const neither = { ...server, misnamed: null, quicPort: 443, quic: [silent] };
  assert.deepEqual(judged({ origin, server: neither, pageLoads }).lacks, ['UDP']);
});

test('reports the target of a redirect to another origin', () => {
  const pageLoads = { 'as-is': H2, accepted: H2 };
  const redirected = (location: string, status = 301) =>
    judged({ server: { http: got({ status, altSvc: 'h3=":443"', location }) }, pageLoads });
  for (const status of [301, 302, 303, 307, 308]) {
    const { lacks, verdict } = redirected('https://www.a.test/start?x', status);
    assert.deepEqual(lacks, ['redirect']);
    assert.match(
      verdict,
      /redirects Chromium to https:\/\/www\.a\.test\/start\?x, which is another origin.* npm run doctor -- 'https:\/\/www\.a\.test\/start\?x'/,
    );
  }
  assert.deepEqual(redirected('https://a.test:8443/').lacks, ['redirect']);
  assert.match(redirected('http://a.test/').verdict, /Redirect to https:\/\//);
  assert.deepEqual(redirected('/start').lacks, []);
  assert.deepEqual(redirected('https://a.test/start').lacks, []);
  assert.deepEqual(redirected('https://www.a.test/', 200).lacks, []);
  // It stops nothing if Chromium still uses HTTP/3.
  const server = { http: got({ status: 301, altSvc: null, location: 'https://www.a.test/' }) };
  assert.deepEqual(judged({ server }).lacks, []);
});

test('reports a server that requires a client certificate', () => {
  const refusals: [server: Partial<ServerAnswers>, error: string | null][] = [
    [{ http: failed('http', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED') }, null],
    [{ tls: failed('tls', 'bad_certificate'), http: failed('http', 'not-tried') }, null],
    [
      { tls: failed('tls', 'handshake_failure'), http: failed('http', 'not-tried') },
      'ERR_BAD_SSL_CLIENT_AUTH_CERT',
    ],
  ];
  for (const [server, error] of refusals) {
    const none = loads([''], { error: error ?? 'ERR_SOCKET_NOT_CONNECTED' });
    const { lacks, verdict } = judged({ server, pageLoads: { 'as-is': none, accepted: none } });
    assert.deepEqual(lacks, ['client certificate']);
    assert.match(verdict, /the server requires a client certificate/);
  }
  const requiring = (errorText: string, status = 400) =>
    judged({
      server: { http: got({ status, altSvc: null, location: null, errorText }) },
      pageLoads: NO_H3,
    });
  const nginx = requiring('<center>No required SSL certificate was sent</center>');
  assert.deepEqual(nginx.lacks, ['client certificate', 'Alt-Svc']);
  assert.match(nginx.verdict, /a client certificate, and answers status 400 without one/);
  const apache = 'Reason: Cannot perform Post-Handshake Authentication.<br />';
  assert.deepEqual(requiring(apache, 403).lacks, ['client certificate', 'Alt-Svc']);
  assert.deepEqual(requiring('The plain HTTP request was sent to HTTPS port').lacks, ['Alt-Svc']);
  const reset = { http: failed('http', 'ECONNRESET') };
  assert.deepEqual(judged({ server: reset, pageLoads: NO_H3 }).lacks, ['Alt-Svc']);
});

test('does not blame the handshake for a response that QPACK cannot read', () => {
  const reason = 'QPACK decompression error';
  const http3: QuicAnswer['http3'] = {
    value: null,
    failure: { layer: 'quic', code: 'closed', reason },
  };
  const { lacks, verdict } = judged({ server: { quic: [{ ...SPOKEN, http3 }] }, pageLoads: NO_H3 });
  assert.deepEqual(lacks, ['answer over h3']);
  assert.match(verdict, /QPACK decompression error.*fewer or shorter response headers.*256 kB/);
  // HTTP/2 has its own limits, and the QUIC client different ones.
  const overTcp = (reason: string, quic: QuicAnswer = SPOKEN) => {
    const http = { value: null, failure: { layer: 'http', code: 'x', reason } } as const;
    return judged({ server: { http, quic: [quic] }, pageLoads: NO_H3 });
  };
  const frames = overTcp('Too many CONTINUATION frames following a HEADER frame');
  assert.deepEqual(frames.lacks, ['Alt-Svc']);
  assert.match(frames.verdict, /fewer or shorter response headers/);
  const remedies = overTcp('Protocol error', { ...SPOKEN, http3 }).steps.map(
    ({ remedy }) => remedy,
  );
  assert.equal(remedies.filter((each) => each?.startsWith('Send fewer')).length, 2);
  assert.match(overTcp('Protocol error').verdict, /Send this header with every response/);
});

test('explains in terms of Firefox why it does not use HTTP/3', () => {
  const seen = { error: '', problems: [], isKnownRoot: false, chain: [pem] };
  const rule = 'network.http.http3.disable_when_third_party_roots_found';
  const left = { error: rule, details: '', fromServer: false };
  const inFirefox = (asIs: Partial<PageLoads>, more: Parameters<typeof judged>[0] = {}) =>
    judged({
      browser: 'firefox',
      ...more,
      pageLoads: { ...NO_H3, 'as-is': { ...H2, ...asIs }, accepted: { ...H2, ...asIs } },
    });
  const added = inFirefox({ verifications: [seen], quicEnds: [left] });
  assert.deepEqual(added.lacks, ['authority']);
  assert.match(
    added.verdict,
    /^Firefox does not speak .*it was added, and then leaves QUIC again.* set network\.http\.\S+_found to false/,
  );
  const asIs = added.steps.find(({ name }) => name === 'as it is');
  assert.match(asIs?.found ?? '', /^h2, then h2, then h2: it left QUIC because of the authority/);
  const policies = ['network.http.http3.enable is false'];
  assert.match(inFirefox({}, { policies }).verdict, /forbids QUIC: network\.http\.http3\.enable/);
  const pending = inFirefox({ hasQuic: true });
  assert.match(pending.steps.at(-3)?.found ?? '', /: QUIC was still connecting$/);
  const blocked = inFirefox({ error: 'NS_ERROR_PORT_ACCESS_NOT_ALLOWED', protocols: [''] });
  assert.match(blocked.verdict, /Firefox refuses port 443.*ports\.banned\.override/);
  // Chromium goes from 443 neither to a higher port nor to another host.
  const http = got({ status: 200, altSvc: 'h3="b.test:8443"', location: null });
  assert.deepEqual(inFirefox({}, { server: { http } }).lacks, []);
});
