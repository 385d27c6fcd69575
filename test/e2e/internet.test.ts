import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { after, before, test } from 'node:test';
import { type Hosts, type Internet, withInternet } from '../internet/internet.ts';
import { requestByQuic, requestByTls, sendDatagrams } from '../internet/witness/witness.ts';

const HOSTS = {
  'web.test': { kind: 'web', httpsRecord: ['h3', 'h2'] },
  'tls1.2-only.test': 'tls1.2-only',
  'tls-only.test': 'tls-only',
  'h3-only.test': 'h3-only',
  'retry.test': 'retry',
  'other-version.test': 'other-version',
  'expired.test': 'expired',
  'wrong-name.test': 'wrong-name',
  'self-signed.test': 'self-signed',
  'unknown-authority.test': 'unknown-authority',
  'long-chain.test': 'long-chain',
  'alert.test': 'alert',
  'resets.test': 'resets',
  'silent.test': 'silent',
  'refuses.test': 'refuses',
  'drops-udp.test': 'drops-udp',
  'drops.test': 'drops',
  'dead.test': 'dead',
  'no-name.test': 'no-name',
  'name-fails.test': 'name-fails',
  'name-silent.test': 'name-silent',
  'v4-only.test': { kind: 'web', families: [4] },
  'v6-only.test': { kind: 'web', families: [6], altSvc: null },
} as const satisfies Hosts;

let internet: Internet;
let leave = () => {};
let left: Promise<void> = Promise.resolve();

// One for all tests of this file, which verify what its hosts do.
before(async () => {
  const made = Promise.withResolvers<void>();
  left = withInternet({ hosts: HOSTS }, (each) => {
    internet = each;
    made.resolve();
    return new Promise((resolve) => {
      leave = resolve;
    });
  });
  await Promise.race([made.promise, left]);
});

after(async () => {
  leave();
  await left;
});

/** Each of these hosts at each of its addresses. */
function ends(names: readonly string[]) {
  return names.flatMap((host) => internet.addressesOf(host).map((address) => ({ host, address })));
}

/** Result of each host; both addresses must have the same. */
function byHost<Result>(requests: readonly { host: string }[], results: readonly Result[]) {
  const found: Record<string, Result> = {};
  for (const [index, { host }] of requests.entries()) {
    if (host in found) assert.deepEqual(results[index], found[host], `${host} by IPv4 and IPv6`);
    found[host] = results[index] as Result;
  }
  return found;
}

test('answers, refuses, resets and stays silent over TCP, over IPv4 and IPv6', async () => {
  const requests = ends(Object.keys(HOSTS));
  const results = await requestByTls(internet, requests);
  const errors = results.map(({ error }) => error);
  assert.deepEqual(byHost(requests, errors), {
    'web.test': null,
    'tls1.2-only.test': null,
    'tls-only.test': null,
    'h3-only.test': 'ECONNREFUSED',
    'retry.test': null,
    'other-version.test': null,
    'expired.test': 'CERT_HAS_EXPIRED',
    'wrong-name.test': 'ERR_TLS_CERT_ALTNAME_INVALID',
    'self-signed.test': 'DEPTH_ZERO_SELF_SIGNED_CERT',
    'unknown-authority.test': 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'long-chain.test': null,
    'alert.test': 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    'resets.test': 'ECONNRESET',
    'silent.test': 'silence',
    'refuses.test': 'ECONNREFUSED',
    'drops-udp.test': null,
    'drops.test': 'no-answer',
    'dead.test': 'EHOSTUNREACH',
    'v4-only.test': null,
    'v6-only.test': null,
  });
});

test('answers, retries, refuses versions and ends connections over QUIC, over IPv4 and IPv6', async () => {
  const requests = ends([
    ...['web.test', 'h3-only.test', 'retry.test', 'other-version.test', 'alert.test'],
    ...['expired.test', 'wrong-name.test', 'self-signed.test', 'unknown-authority.test'],
    ...['long-chain.test', 'v4-only.test', 'v6-only.test'],
  ]);
  const results = await requestByQuic(internet, requests);
  const outcomes = results.map(({ error, received }) => error?.code ?? received[0] ?? null);
  assert.deepEqual(byHost(requests, outcomes), {
    'web.test': 'initial',
    'h3-only.test': 'initial',
    'retry.test': 'retry',
    // aioquic's own term for no common version.
    'other-version.test': 1,
    'alert.test': tlsAlert(120),
    'expired.test': tlsAlert(45),
    'wrong-name.test': tlsAlert(42),
    'self-signed.test': tlsAlert(42),
    'unknown-authority.test': tlsAlert(42),
    'long-chain.test': 'initial',
    'v4-only.test': 'initial',
    'v6-only.test': 'initial',
  });
  for (const [index, { host }] of requests.entries()) {
    const answer = results[index];
    if (typeof outcomes[index] === 'string') assert.ok(answer?.body.includes(`${host} over h3`));
    if (host === 'other-version.test') assert.deepEqual(answer?.received, ['version_negotiation']);
    if (host === 'long-chain.test') assertLong(answer?.chainBytes);
  }
});

test('reports by ICMP where nothing listens for UDP, and nothing from a silent host', async () => {
  const requests = ends([
    ...['tls1.2-only.test', 'tls-only.test', 'resets.test', 'refuses.test'],
    ...['silent.test', 'drops-udp.test', 'drops.test'],
  ]);
  const addresses = requests.map(({ address }) => address);
  assert.deepEqual(byHost(requests, await sendDatagrams(internet, addresses)), {
    'tls1.2-only.test': 'ECONNREFUSED',
    'tls-only.test': 'ECONNREFUSED',
    'resets.test': 'ECONNREFUSED',
    'refuses.test': 'ECONNREFUSED',
    'silent.test': 'silence',
    'drops-udp.test': 'silence',
    'drops.test': 'silence',
  });
});

test('accepts the configured versions of TLS and HTTP, and tickets', async () => {
  const at = (host: keyof typeof HOSTS) => ({
    host,
    address: internet.addressesOf(host)[0] ?? '',
  });
  const tls13Alone = { minVersion: 'TLSv1.3' } as const;
  const tls12Alone = { maxVersion: 'TLSv1.2' } as const;
  const [tls13, tls12, http2, old, tooNew, long, quiet] = await requestByTls(internet, [
    { ...at('web.test'), ...tls13Alone },
    { ...at('web.test'), ...tls12Alone },
    { ...at('web.test'), alpn: ['h2', 'http/1.1'] },
    at('tls1.2-only.test'),
    { ...at('tls1.2-only.test'), ...tls13Alone },
    at('long-chain.test'),
    at('v6-only.test'),
  ]);
  const versions = [tls13, tls12, old].map((each) => each?.version);
  assert.deepEqual(versions, ['TLSv1.3', 'TLSv1.2', 'TLSv1.2']);
  assert.equal(tooNew?.error, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  assert.deepEqual([tls13?.protocol, http2?.protocol], ['http/1.1', 'h2']);
  assert.match(tls13?.answer ?? '', /^alt-svc: h3=":443"; ma=86400\r$/im);
  assert.match(tls13?.answer ?? '', /<p>web\.test over http\/1\.1/);
  assert.match(quiet?.answer ?? '', /<p>v6-only\.test over/);
  assert.doesNotMatch(quiet?.answer ?? '', /^alt-svc:/im);
  assertLong(long?.chainBytes);
  const again = await requestByTls(internet, [
    { ...at('web.test'), ...tls13Alone, session: tls13?.session ?? '' },
    { ...at('web.test'), ...tls12Alone, session: tls12?.session ?? '' },
  ]);
  const resumed = [tls13, tls12, ...again].map((each) => each?.resumed);
  assert.deepEqual(resumed, [false, false, true, true]);
});

test('resolves addresses, fails, and stays silent as a name server', async () => {
  const known = ['web.test', 'v4-only.test', 'v6-only.test'];
  const missing = ['no-name.test', 'never-described.test', 'name-fails.test', 'name-silent.test'];
  const lookUp = `Promise.all(${JSON.stringify([...known, ...missing])}.map((name) =>
    require('node:dns').promises.lookup(name, { all: true })
      .then((found) => found.map(({ address }) => address).sort(), ({ code }) => code)
  )).then((found) => console.log(JSON.stringify(found)))`;
  const { stdout } = await internet.run([process.execPath, '-e', lookUp]);
  assert.deepEqual(JSON.parse(stdout), [
    ...known.map((name) => internet.addressesOf(name).toSorted()),
    ...['ENOTFOUND', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_AGAIN'],
  ]);
  const families = known.map((name) => internet.addressesOf(name).map(isIP));
  assert.deepEqual(families, [[4, 6], [4], [6]]);
  const questions = await internet.questions();
  const ofSilent = questions.filter(({ name }) => name === 'name-silent.test');
  assert.deepEqual([...new Set(ofSilent.map(({ type }) => type))].sort(), ['A', 'AAAA']);
});

test('serves an HTTPS record with the bytes of RFC 9460, only if it is described', async () => {
  const before = (await internet.questions()).length;
  const described = await answerOfHttps('web.test');
  const other = await answerOfHttps('v4-only.test');
  // Type 65 of class IN, for 5 s, 13 bytes: priority 1, the name itself, and alpn of 6 bytes, h3 and h2.
  const record = '0041 0001 00000005 000d 0001 00 0001 0006 026833 026832'.replaceAll(' ', '');
  assert.ok(described.endsWith(record), described);
  assert.equal(other.slice(12, 16), '0000', 'no answer in the other one');
  const questions = (await internet.questions()).slice(before);
  assert.deepEqual(questions, [
    { name: 'web.test', type: 'HTTPS' },
    { name: 'v4-only.test', type: 'HTTPS' },
  ]);
});

/** Code of a TLS alert in CONNECTION_CLOSE (RFC 9001, section 4.8). */
function tlsAlert(number: number): number {
  return 0x100 + number;
}

function assertLong(chainBytes = 0): void {
  assert.ok(chainBytes > 7_200 && chainBytes < 7_800, `${chainBytes} bytes, not about 7,500`);
}

/** The name server's response to our own query for the HTTPS record of a name, in hex. */
async function answerOfHttps(name: string): Promise<string> {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  const head = Buffer.from('123401000001000000000000', 'hex');
  const query = Buffer.concat([head, ...labels, Buffer.from('0000410001', 'hex')]);
  const send = `const socket = require('node:dgram').createSocket('udp4');
    const settings = require('node:fs').readFileSync('/etc/resolv.conf', 'utf8');
    socket.once('message', (answer) => { console.log(answer.toString('hex')); socket.close(); });
    socket.send(Buffer.from('${query.toString('hex')}', 'hex'), 53, /nameserver (.*)/.exec(settings)[1]);`;
  const { stdout } = await internet.run([process.execPath, '-e', send]);
  return stdout.trim();
}
