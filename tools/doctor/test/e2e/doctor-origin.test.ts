import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { browserOfMachine, readMachine } from '../../../../runner/machine.ts';
import { TRIES_ALL } from '../../../../test/e2e/tested-stacks.ts';
import type { Hosts } from '../../../../test/internet/hosts.ts';
import { type Internet, withInternet } from '../../../../test/internet/internet.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';

const DOCTOR = [process.execPath, path.join(projectFolder, 'bin', 'quic-vs-https.ts'), 'doctor'];
const IN_FIREFOX = [...DOCTOR, '--browser', 'firefox'];
const SPEAKS = 'speaks HTTP/3 to it.';

/** Expected findings of the doctor at a server. */
interface Expected {
  host: Hosts[string];
  /** Rows that stop Chromium, in order: the first one gives the verdict. */
  lacks: string[];
  verdict: RegExp;
  /** Results of its three attempts: unchanged, with the key accepted, with QUIC forced. */
  attempts: [asIs: RegExp, accepted: RegExp, forced: RegExp];
}

const REFUSED = /ERR_CERT_AUTHORITY_INVALID/;
const OVER_TCP = /^h2, then h2, then h2\b/;
/**
 * Once Chromium knows of HTTP/3, it races QUIC and TCP: on a busy machine TCP may win a few more
 * times.
 */
const DISCOVERED = /^(h2, then )+h3$/;
const FORCED = /^h3$/;
/**
 * Chromium does not wait long for a record: with a slow name server the first load goes over TCP.
 */
const BY_RECORD = /^(h2, then )*h3$/;

/** Servers whose authority is unknown on the client's machine. */
const SERVERS: Record<string, Expected> = {
  'web.test': {
    host: 'web',
    lacks: ['authority'],
    verdict: /which the server did not send .* --origin-to-force-quic-on=web\.test:443 https/,
    attempts: [REFUSED, DISCOVERED, FORCED],
  },
  'refused.test': {
    host: 'tls-only',
    lacks: ['UDP', 'Alt-Svc', 'authority'],
    verdict: /UDP port 443 of .* is refused \(ICMP port unreachable\)/,
    attempts: [REFUSED, OVER_TCP, /QUIC_PACKET_WRITE_ERROR/],
  },
  'unanswered.test': {
    host: 'drops-udp',
    lacks: ['UDP', 'authority'],
    verdict: /UDP port 443 of .* does not answer \(timeout\).* Open UDP port 443/,
    attempts: [REFUSED, OVER_TCP, /QUIC_NETWORK_IDLE_TIMEOUT/],
  },
  'other-protocol.test': {
    host: 'other-protocol',
    lacks: ['QUIC handshake', 'authority'],
    verdict: /rejects the protocol h3 \(ALPN: no_application_protocol\)/,
    attempts: [REFUSED, OVER_TCP, /the server ended QUIC: no application protocol/],
  },
  'unannounced.test': {
    host: { kind: 'web', altSvc: null },
    lacks: ['Alt-Svc', 'authority'],
    verdict: /the response \(status 200\) has no Alt-Svc header/,
    attempts: [REFUSED, OVER_TCP, FORCED],
  },
  'mapped.test': {
    host: { kind: 'web', altSvc: 'h3=":444"; ma=86400' },
    lacks: ['Alt-Svc', 'authority'],
    verdict:
      /names UDP port 444, where HTTP\/3 does not answer .* Name port 443, where QUIC answers/,
    attempts: [REFUSED, OVER_TCP, FORCED],
  },
  'record.test': {
    host: { kind: 'web', altSvc: null, httpsRecord: ['h3', 'h2'] },
    lacks: ['authority'],
    verdict: /which the server did not send/,
    attempts: [REFUSED, BY_RECORD, FORCED],
  },
  'h3-only.test': {
    host: 'h3-only',
    lacks: ['TCP and TLS', 'authority'],
    verdict: /no HTTPS over TCP: .*ECONNREFUSED/,
    attempts: [/ERR_CONNECTION_REFUSED/, /ERR_CONNECTION_REFUSED/, FORCED],
  },
  'no-name.test': {
    host: 'no-name',
    lacks: ['name'],
    verdict: /no-name\.test has no address/,
    attempts: [/ERR_NAME_NOT_RESOLVED/, /ERR_NAME_NOT_RESOLVED/, /ERR_NAME_NOT_RESOLVED/],
  },
};

/** Further servers for the same checks. */
const OTHER_SERVERS: Record<string, Expected> = {
  'self-signed.test': {
    host: 'self-signed',
    lacks: ['authority'],
    verdict: /the certificate is self-signed/,
    attempts: [REFUSED, DISCOVERED, FORCED],
  },
  'other-version.test': {
    host: 'other-version',
    lacks: ['QUIC version', 'authority'],
    verdict: /Chromium supports only version 1/,
    attempts: [REFUSED, OVER_TCP, /QUIC_INVALID_VERSION/],
  },
  'other-key.test': {
    host: 'other-key',
    lacks: ['certificate'],
    verdict: /no key of this kind: ECDSA on secp521r1/,
    attempts: [/CIPHER_MISMATCH/, /CIPHER_MISMATCH/, /ERR_QUIC_PROTOCOL_ERROR/],
  },
  'small-key.test': {
    host: 'small-key',
    lacks: ['authority'],
    verdict: /which the server did not send/,
    attempts: [REFUSED, DISCOVERED, FORCED],
  },
  'draft.test': {
    host: { kind: 'web', altSvc: 'h3-29=":443"; ma=86400' },
    lacks: ['Alt-Svc', 'authority'],
    verdict: /Alt-Svc does not name h3: h3-29=/,
    attempts: [REFUSED, OVER_TCP, FORCED],
  },
  'port.test': {
    host: { kind: 'web', altSvc: 'h3=":8443"; ma=86400' },
    lacks: ['Alt-Svc', 'authority'],
    verdict: /Alt-Svc names port 8443, and Chromium does not go from a port below 1024/,
    attempts: [REFUSED, OVER_TCP, FORCED],
  },
};

/** Servers whose authority the client's machine trusts. */
const TRUSTED: Record<string, Expected> = {
  'trusted.test': {
    host: 'web',
    lacks: ['authority'],
    verdict:
      /trusts it because this machine does, but over QUIC it accepts only public authorities/,
    attempts: [/^h2, then h2, then h2: .*QUIC_TLS_CERTIFICATE_UNKNOWN/, DISCOVERED, FORCED],
  },
  'expired.test': {
    host: 'expired',
    lacks: ['certificate'],
    verdict: /the certificate of CN=expired\.test expired on /,
    attempts: [/ERR_CERT_DATE_INVALID/, DISCOVERED, FORCED],
  },
  'wrong-name.test': {
    host: 'wrong-name',
    lacks: ['certificate'],
    verdict: /not for wrong-name\.test: it names not-wrong-name\.test/,
    attempts: [/ERR_CERT_COMMON_NAME_INVALID/, DISCOVERED, FORCED],
  },
};

const ATTEMPTS = ['as it is', 'key accepted', 'QUIC forced'];

interface Row {
  status: string;
  name: string;
  found: string;
}

const LEFT =
  /^h2, then h2, then h2: it left QUIC .*\(network\.http\.http3\.disable_when_third_party_roots_found\)/;
const OVER_HTTP2 = /^(h2, then )+h2$/;

/** Servers whose authority Firefox trusts. */
const IN_TRUSTING_FIREFOX: Record<string, Expected> = {
  'web.test': {
    host: 'web',
    lacks: ['authority'],
    verdict: /leaves QUIC again .* set network\.http\.http3\.\S+_found to false in about:config/,
    attempts: [LEFT, DISCOVERED, FORCED],
  },
  'unannounced.test': {
    host: { kind: 'web', altSvc: null },
    lacks: ['Alt-Svc', 'authority'],
    verdict: /the response \(status 200\) has no Alt-Svc header/,
    attempts: [OVER_HTTP2, OVER_HTTP2, FORCED],
  },
  'unanswered.test': {
    host: 'drops-udp',
    lacks: ['UDP', 'authority'],
    verdict: /UDP port 443 of .* does not answer \(timeout\)/,
    attempts: [/QUIC was still connecting$/, /QUIC was still connecting$/, /NS_ERROR_NET_TIMEOUT/],
  },
  'other-protocol.test': {
    host: 'other-protocol',
    lacks: ['QUIC handshake', 'authority'],
    verdict: /rejects the protocol h3 \(ALPN: no_application_protocol\)/,
    attempts: [OVER_TCP, OVER_TCP, /the server ended QUIC: no application protocol/],
  },
};

/** Servers whose authority Firefox does not know. */
const IN_FIREFOX_ALONE: Record<string, Expected> = {
  'record.test': {
    host: { kind: 'web', altSvc: null, httpsRecord: ['h3', 'h2'] },
    lacks: ['authority'],
    verdict: /which the server did not send/,
    attempts: [/SEC_ERROR_UNKNOWN_ISSUER/, BY_RECORD, FORCED],
  },
};

/** The rows of the doctor, their lines joined. */
function rowsOf(stdout: string): Row[] {
  const rows: Row[] = [];
  for (const line of stdout.split('\n')) {
    const [, status, name = '', found = ''] = /^ {2}(ok|note|lack) +(.{20})(.*)$/.exec(line) ?? [];
    if (status !== undefined) rows.push({ status, name: name.trim(), found });
    else if (/^ {28}/.test(line)) {
      const last = rows.at(-1);
      if (last) last.found += ` ${line.trim()}`;
    }
  }
  return rows;
}

function assertFinds(
  { stdout, stderr, status }: Record<'stdout' | 'stderr', string> & { status: unknown },
  expected: Expected,
  browser = 'Chromium',
) {
  assert.notEqual(stdout, '', stderr);
  const rows = rowsOf(stdout);
  const lacks = rows.filter((row) => row.status === 'lack').map(({ name }) => name);
  assert.deepEqual(lacks, expected.lacks, stdout);
  const verdict = stdout.trimEnd().split('\n').at(-1) ?? '';
  const begin = `${browser} does not speak HTTP/3 to it, because: `;
  assert.ok(verdict.startsWith(begin), stdout);
  assert.match(verdict, expected.verdict, stdout);
  for (const [index, attempt] of ATTEMPTS.entries()) {
    const found = rows.find(({ name }) => name === attempt)?.found ?? '';
    assert.match(found, expected.attempts[index] as RegExp, stdout);
  }
  assert.equal(status, 4, stdout);
}

function hostsOf(servers: Record<string, Expected>): Hosts {
  return Object.fromEntries(Object.entries(servers).map(([name, { host }]) => [name, host]));
}

/** Policies of a machine whose Chromium trusts an authority. */
function trusting(authority: string): object {
  return { CACertificates: [authority.replace(/-----[^-]+-----|\s/g, '')] };
}

const withoutPolicies =
  !existsSync('/etc/chromium') || readMachine().chromium !== '/usr/lib/chromium/chromium'
    ? "Chromium is not Debian's, whose policies lie in /etc/chromium"
    : false;

/** Some wait for a timeout while the rest works. */
const AT_ONCE = 2;

async function examine(
  internet: Internet,
  servers: Record<string, Expected>,
  doctor = DOCTOR,
  browser = 'Chromium',
): Promise<void> {
  const left = Object.entries(servers).values();
  const work = async () => {
    for (const [name, expected] of left) {
      assertFinds(await internet.run([...doctor, `https://${name}/`]), expected, browser);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function examineAll(servers: Record<string, Expected>): Promise<void> {
  return withInternet({ hosts: hostsOf(servers) }, (internet) => examine(internet, servers));
}

test('names what keeps Chromium from HTTP/3 at servers of every kind', () =>
  examineAll({ ...SERVERS, ...(TRIES_ALL && OTHER_SERVERS) }));

test(
  'names the certificate, or the stricter rule of QUIC, where the machine trusts the authority',
  {
    skip: withoutPolicies,
  },
  () =>
    withInternet({ hosts: hostsOf(TRUSTED), chromiumPolicies: trusting }, (internet) =>
      examine(internet, TRUSTED),
    ),
);

test(
  'recognizes a server that Chromium reaches by HTTP/3, despite other findings',
  {
    skip: withoutPolicies,
  },
  () =>
    withTemporaryFolder((folder) =>
      withInternet(
        { hosts: { 'web.test': 'web' }, chromiumPolicies: trusting },
        async (internet) => {
          // No test has a public authority: this browser skips that rule for the host.
          const chromium = path.join(folder, 'chromium');
          const flag = '--origin-to-force-quic-on=web.test:1';
          await writeFile(chromium, `#!/bin/sh\nexec ${readMachine().chromium} ${flag} "$@"\n`);
          await chmod(chromium, 0o755);
          const command = ['env', `CHROMIUM_PATH=${chromium}`, ...DOCTOR, 'web.test'];
          const { status, stdout } = await internet.run(command);
          assert.equal(stdout.trimEnd().split('\n').at(-1), `Chromium ${SPEAKS}`, stdout);
          assert.deepEqual(
            rowsOf(stdout).filter((row) => row.status === 'lack'),
            [],
            stdout,
          );
          assert.equal(status, 0);
        },
      ),
    ),
);

test(
  'names a machine policy that forbids QUIC before all else',
  {
    skip: withoutPolicies,
  },
  () =>
    withInternet(
      {
        hosts: { 'web.test': 'web' },
        chromiumPolicies: (authority) => ({ ...trusting(authority), QuicAllowed: false }),
      },
      async (internet) =>
        assertFinds(await internet.run([...DOCTOR, 'web.test']), {
          host: 'web',
          lacks: ['policy', 'authority'],
          verdict: /QuicAllowed is false in \/etc\/chromium\/policies\/managed\/test\.json/,
          attempts: [OVER_TCP, OVER_TCP, OVER_TCP],
        }),
    ),
);

test('distinguishes a local firewall that blocks UDP from one on the path', () =>
  withInternet({ hosts: { 'web.test': { kind: 'web', families: [4] } } }, async (internet) => {
    const rule = 'ip rule add pref 10 ipproto udp dport 443 prohibit && exec "$@"';
    const command = ['sh', '-c', rule, 'sh', ...DOCTOR, 'web.test'];
    assertFinds(await internet.run(command), {
      host: 'web',
      lacks: ['UDP', 'authority'],
      verdict: /this machine blocks datagrams to UDP port 443/,
      attempts: [REFUSED, OVER_TCP, /ERR_/],
    });
  }));

test('names a port that Chromium refuses, even if no server listens there', () => {
  const [program = '', ...args] = [...DOCTOR, 'https://127.0.0.1:6000/'];
  const unsafe = /ERR_UNSAFE_PORT/;
  assertFinds(spawnSync(program, args, { encoding: 'utf8' }), {
    host: 'web',
    lacks: ['port', 'TCP and TLS', 'UDP'],
    verdict: /Chromium refuses port 6000.*--explicitly-allowed-ports=6000/,
    attempts: [unsafe, unsafe, unsafe],
  });
});

test('names what keeps Firefox from HTTP/3, in its own terms', () =>
  withInternet(
    { hosts: hostsOf({ ...IN_TRUSTING_FIREFOX, ...IN_FIREFOX_ALONE }) },
    async (internet) => {
      const trusting = [...IN_FIREFOX, '--trust', internet.caFile];
      await examine(internet, IN_TRUSTING_FIREFOX, trusting, 'Firefox');
      await examine(internet, IN_FIREFOX_ALONE, IN_FIREFOX, 'Firefox');
    },
  ));

test('recognizes a server that Firefox reaches by HTTP/3, and a preference that forbids it', () =>
  withTemporaryFolder((folder) =>
    withInternet({ hosts: { 'web.test': 'web' } }, async (internet) => {
      // As a preference file of the machine would; its HOME is the profile.
      const firefox = path.join(folder, 'firefox');
      const start = `exec ${browserOfMachine('firefox')} "$@"`;
      const run = async (preference: string) => {
        const line = `user_pref("network.http.http3.${preference}", false);`;
        await writeFile(firefox, `#!/bin/sh\necho '${line}' >> "$HOME/user.js"\n${start}\n`);
        await chmod(firefox, 0o755);
        const command = ['env', `FIREFOX_PATH=${firefox}`, ...IN_FIREFOX, 'web.test'];
        return internet.run([...command, '--trust', internet.caFile]);
      };
      const { status, stdout } = await run('disable_when_third_party_roots_found');
      assert.equal(stdout.trimEnd().split('\n').at(-1), `Firefox ${SPEAKS}`, stdout);
      assert.equal(status, 0);
      const expected: Expected = {
        host: 'web',
        lacks: ['policy', 'authority'],
        verdict: /forbids QUIC: network\.http\.http3\.enable is false/,
        attempts: [OVER_HTTP2, OVER_HTTP2, OVER_HTTP2],
      };
      assertFinds(await run('enable'), expected, 'Firefox');
    }),
  ));

test('rejects what is not a server', () => {
  const [program = '', ...args] = DOCTOR;
  for (const words of [
    ['http://localhost/'],
    ['a b'],
    ['localhost', '--resolve', 'x'],
    ['--resolve', '::1'],
    ['localhost', '--browser', 'safari'],
  ]) {
    const { status, stderr } = spawnSync(program, [...args, ...words], { encoding: 'utf8' });
    assert.equal(status, 2, `${words}: ${stderr}`);
    assert.ok(!stderr.includes('bug'), stderr);
  }
});
