import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateProblems } from '../../../certs/certificate-problems.ts';
import * as x509 from '../../../certs/x509.ts';

x509.cryptoProvider.set(crypto);

type Algorithm = (EcKeyGenParams | RsaHashedKeyGenParams) & { hash: string };
interface Signed {
  certificate: x509.X509Certificate;
  keys: CryptoKeyPair;
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const AT = new Date('2026-06-01T12:00:00Z');
const [BEFORE, AFTER] = [new Date('2026-05-01'), new Date('2026-07-01')];

function rsa(modulusLength: number, hash = 'SHA-256') {
  const publicExponent = new Uint8Array([1, 0, 1]);
  return { name: 'RSASSA-PKCS1-v1_5', hash, publicExponent, modulusLength };
}

async function signed(
  name: string,
  signer: Signed | null,
  {
    algorithm = P256,
    hash = 'SHA-256',
    names = [{ type: 'dns', value: 'a.test' }],
    extensions = [],
    notBefore = BEFORE,
    notAfter = AFTER,
  }: {
    algorithm?: Algorithm;
    hash?: string;
    names?: { type: 'dns' | 'ip'; value: string }[];
    extensions?: x509.Extension[];
    notBefore?: Date;
    notAfter?: Date;
  } = {},
): Promise<Signed> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: signer?.certificate.subject ?? `CN=${name}`,
    notBefore,
    notAfter,
    publicKey: keys.publicKey,
    signingKey: (signer?.keys ?? keys).privateKey,
    signingAlgorithm: {
      ...((signer?.keys ?? keys).privateKey.algorithm as unknown as Algorithm),
      hash,
    },
    extensions: [
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ...extensions,
    ],
  });
  return { certificate, keys };
}

const root = await signed('root', null, { names: [] });
const intermediate = await signed('intermediate', root, { names: [] });
const ROOTS = [root.certificate.toString('pem')];

function codes(
  chain: readonly Signed[],
  use: Partial<Parameters<typeof certificateProblems>[1]> = {},
) {
  const ders = chain.map(({ certificate }) => new Uint8Array(certificate.rawData));
  return certificateProblems(ders, { host: 'a.test', at: AT, ...use }).map(({ code }) => code);
}

test('finds no problem in a certificate that browsers accept, in any order of its chain', async () => {
  const leaf = await signed('leaf', intermediate, {
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth])],
  });
  const chains = [
    [leaf, intermediate],
    [leaf, intermediate, root],
    [leaf, root, intermediate],
  ];
  for (const chain of chains) assert.deepEqual(codes(chain, { authorities: ROOTS }), []);
});

test('accepts a name only in subjectAltName, with a wildcard for one label, and an address as an address', async () => {
  const leaf = await signed('a.test', root, {
    names: [
      { type: 'dns', value: '*.b.test' },
      { type: 'ip', value: '192.0.2.1' },
    ],
  });
  for (const host of ['x.b.test', '192.0.2.1']) assert.deepEqual(codes([leaf], { host }), [], host);
  for (const host of ['a.test', 'b.test', 'x.y.b.test', '192.0.2.2']) {
    assert.deepEqual(codes([leaf], { host }), ['other-name'], host);
  }
  const der = new Uint8Array(leaf.certificate.rawData);
  const [problem] = certificateProblems([der], { host: 'a.test', at: AT });
  assert.match(problem?.message ?? '', /not for a\.test: it names \*\.b\.test, 192\.0\.2\.1$/);
  assert.deepEqual(codes([await signed('a.test', root, { names: [] })]), ['other-name']);
});

test('accepts a certificate from its first to its last second, and likewise its chain', async () => {
  const leaf = await signed('leaf', intermediate);
  assert.deepEqual(codes([leaf], { at: BEFORE }), []);
  assert.deepEqual(codes([leaf], { at: AFTER }), []);
  assert.deepEqual(codes([leaf], { at: new Date(BEFORE.getTime() - 1000) }), ['not-yet-valid']);
  assert.deepEqual(codes([leaf], { at: new Date(AFTER.getTime() + 1000) }), ['expired']);
  const old = await signed('old', root, { names: [], notAfter: new Date('2026-05-02') });
  assert.deepEqual(codes([await signed('leaf', old), old]), ['expired']);
  assert.deepEqual(codes([leaf, intermediate, old]), [], 'one that nobody needs');
});

test('accepts RSA keys of 2048 bits, and ECDSA on P-256 or P-384', async () => {
  for (const algorithm of [rsa(2048), { ...P256, namedCurve: 'P-384' }]) {
    assert.deepEqual(codes([await signed('leaf', root, { algorithm })]), []);
  }
  assert.deepEqual(codes([await signed('leaf', root, { algorithm: rsa(1024) })]), [
    'key-too-small',
  ]);
  const p521 = { ...P256, namedCurve: 'P-521' };
  const large = await signed('leaf', root, { algorithm: p521 });
  assert.deepEqual(codes([large]), ['key-type']);
  assert.deepEqual(codes([large], { browser: 'firefox' }), []);
  const ed25519 = { name: 'Ed25519' } as Algorithm;
  assert.deepEqual(codes([await signed('leaf', root, { algorithm: ed25519 })]), ['key-type']);
});

test('rejects SHA-1 on a leaf and an intermediate, and ignores it on a root', async () => {
  assert.deepEqual(codes([await signed('leaf', root, { hash: 'SHA-1' })]), ['weak-signature']);
  const older = await signed('older', null, { names: [], hash: 'SHA-1' });
  assert.deepEqual(codes([await signed('leaf', older), older]), []);
});

test('rejects a certificate for clients, or one that may not sign', async () => {
  const { clientAuth } = x509.ExtendedKeyUsage;
  const extensions = [
    new x509.ExtendedKeyUsageExtension([clientAuth]),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyEncipherment),
  ];
  assert.deepEqual(codes([await signed('leaf', root, { extensions })]), [
    'not-for-servers',
    'not-for-signing',
  ]);
});

test('distinguishes self-signed, unknown, missing and known authorities', async () => {
  const use = { authorities: ROOTS };
  const own = await signed('own', null);
  assert.deepEqual(codes([own], use), ['self-signed']);
  assert.deepEqual(codes([own], { authorities: [own.certificate.toString('pem')] }), []);
  const other = await signed('other', null, { names: [] });
  const leafOfOther = await signed('leaf', other);
  assert.deepEqual(codes([leafOfOther], use), ['unknown-authority']);
  assert.deepEqual(codes([leafOfOther, other], use), ['unknown-authority']);
  const leaf = await signed('leaf', intermediate, {
    extensions: [new x509.AuthorityInfoAccessExtension({ caIssuers: 'http://x.test/i.crt' })],
  });
  assert.deepEqual(codes([leaf], use), ['chain-incomplete']);
  assert.deepEqual(
    codes([leaf, other], use),
    ['chain-incomplete'],
    'with another one in its place',
  );
  assert.deepEqual(codes([leaf, intermediate], use), []);
  assert.deepEqual(codes([leaf]), [], 'nobody asked');
});

test('reports only one problem of a server without a certificate', () => {
  assert.deepEqual(codes([]), ['no-certificate']);
});
