import { chainPem, keyPem, newKeys, newLifetime, subjectAltNames } from '../../certs/authority.ts';
import * as x509 from '../../certs/x509.ts';
import type { CertificateKind } from './kinds.ts';

/** Certificate chain and key of a server, in PEM. */
export interface Identity {
  certificate: string;
  key: string;
}

/** A certificate that signs leaves. */
interface Signer {
  certificate: x509.X509Certificate;
  keys: CryptoKeyPair;
}

type KeyAlgorithm = Parameters<typeof newKeys>[0];

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const KEYS = {
  'small-key': {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 1024,
  },
  // With a curve that browsers do not support.
  'other-key': { ...ALGORITHM, namedCurve: 'P-521' },
};
const HOUR_MS = 3600 * 1000;

/**
 * Additional names in a leaf of a long chain, so that the chain has about 7.5 kB, the maximum on
 * the web.
 */
const MORE_NAMES = 142;

/** A new authority, whose certificate clients trust. */
export interface TestAuthority {
  pem: string;
  /** A certificate of all these hosts. */
  issue(hosts: readonly string[], kind: CertificateKind): Promise<Identity>;
}

export async function makeTestAuthority(): Promise<TestAuthority> {
  const root = await newRoot('Root of the internet in a test');
  const intermediate = await signed('CN=Intermediate of the internet in a test', {
    signer: root,
    extensions: OF_AUTHORITY,
  });
  return {
    pem: chainPem([root.certificate]),
    async issue(hosts, kind) {
      if (kind === 'long-chain') {
        const moreNames = Array.from(
          { length: MORE_NAMES },
          (_, index) => `${index + 1}.one-of-many-names-in-this-certificate.test`,
        );
        const leaf = await leafOf([...hosts, ...moreNames], intermediate);
        return identity(leaf, [intermediate]);
      }
      if (kind === 'wrong-name')
        return identity(
          await leafOf(
            hosts.map((host) => `not-${host}`),
            root,
          ),
        );
      if (kind === 'unknown-authority') {
        return identity(await leafOf(hosts, await newRoot('Root that nobody trusts')));
      }
      if (kind === 'small-key' || kind === 'other-key') {
        return identity(await leafOf(hosts, root, newLifetime(), KEYS[kind]));
      }
      if (kind === 'self-signed') return identity(await newRoot(hosts[0] ?? '', hosts));
      return identity(await leafOf(hosts, root, kind === 'expired' ? PAST : newLifetime()));
    },
  };
}

const PAST = {
  notBefore: new Date(Date.now() - 48 * HOUR_MS),
  notAfter: new Date(Date.now() - 24 * HOUR_MS),
};

const OF_AUTHORITY = [
  new x509.BasicConstraintsExtension(true, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
];

/** A self-signed certificate: an authority's, or with hosts a server's. */
async function newRoot(name: string, hosts: readonly string[] = []): Promise<Signer> {
  const keys = await newKeys(ALGORITHM);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    ...newLifetime(),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: hosts.length === 0 ? OF_AUTHORITY : ofServer(hosts),
  });
  return { certificate, keys };
}

function leafOf(
  hosts: readonly string[],
  signer: Signer,
  lifetime = newLifetime(),
  algorithm: KeyAlgorithm = ALGORITHM,
) {
  const subject = [{ CN: [(hosts[0] ?? '').slice(0, 64)] }];
  return signed(subject, { signer, lifetime, algorithm, extensions: ofServer(hosts) });
}

function ofServer(hosts: readonly string[]): x509.Extension[] {
  return [
    subjectAltNames(hosts),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
  ];
}

async function signed(
  subject: x509.JsonName | string,
  {
    signer,
    lifetime = newLifetime(),
    algorithm = ALGORITHM,
    extensions,
  }: {
    signer: Signer;
    lifetime?: typeof PAST;
    algorithm?: KeyAlgorithm;
    extensions: x509.Extension[];
  },
): Promise<Signer> {
  const keys = await newKeys(algorithm);
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: signer.certificate.subject,
    ...lifetime,
    publicKey: keys.publicKey,
    signingKey: signer.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions,
  });
  return { certificate, keys };
}

async function identity(leaf: Signer, above: readonly Signer[] = []): Promise<Identity> {
  const chain = [leaf, ...above].map(({ certificate }) => certificate);
  return { certificate: chainPem(chain), key: await keyPem(leaf.keys.privateKey) };
}
