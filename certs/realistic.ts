import { randomBytes } from 'node:crypto';
import * as x509 from './x509.ts';

/** RSA-2048 with SHA-256: what most certificates of the web's larger sites are signed with. */
export const RSA_ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};

/** A certificate authority of the web's usual kind: what links it to a root that everybody has is sent with each leaf. */
export interface RealisticAuthority {
  /** Signs leaves. */
  issuer: x509.X509Certificate;
  issuerKeys: CryptoKeyPair;
  /** What a server sends after its leaf: the issuing authority, and its root signed by an older root. */
  sent: x509.X509Certificate[];
}

const ISSUER = 'C=ZZ, O=quic-vs-https local test, CN=Issuing Authority of Realistic Size 1';
const ROOT = 'C=ZZ, O=quic-vs-https local test, OU=Root Operations, CN=Root of Realistic Size 1';
const OLDER_ROOT =
  'C=ZZ, O=quic-vs-https older test, OU=Root Operations, CN=Older Root of Realistic Size';

/** Lifetime of a certificate. */
export interface Validity {
  notBefore: Date;
  notAfter: Date;
}

/** Makes an issuing authority whose chain is two certificates long; the roots' keys are thrown away. */
export async function makeRealisticAuthority(validity: Validity): Promise<RealisticAuthority> {
  const [issuerKeys, rootKeys, olderKeys] = await Promise.all([rsaKeys(), rsaKeys(), rsaKeys()]);
  const authority = async (
    subject: string,
    subjectKeys: CryptoKeyPair,
    issuerName: string,
    signerKeys: CryptoKeyPair,
  ) =>
    x509.X509CertificateGenerator.create({
      ...validity,
      subject,
      issuer: issuerName,
      publicKey: subjectKeys.publicKey,
      signingKey: signerKeys.privateKey,
      signingAlgorithm: RSA_ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign |
            x509.KeyUsageFlags.cRLSign |
            x509.KeyUsageFlags.digitalSignature,
          true,
        ),
        new x509.ExtendedKeyUsageExtension([
          x509.ExtendedKeyUsage.serverAuth,
          x509.ExtendedKeyUsage.clientAuth,
        ]),
        await x509.SubjectKeyIdentifierExtension.create(subjectKeys.publicKey),
        await x509.AuthorityKeyIdentifierExtension.create(signerKeys.publicKey),
        ...whereToAsk(issuerName === OLDER_ROOT ? 'older-root' : 'root'),
      ],
    });
  const issuer = await authority(ISSUER, issuerKeys, ROOT, rootKeys);
  const root = await authority(ROOT, rootKeys, OLDER_ROOT, olderKeys);
  return { issuer, issuerKeys, sent: [issuer, root] };
}

/** Makes a leaf with everything that a bought certificate of these hosts would carry. */
export async function makeRealisticLeaf(
  hosts: readonly string[],
  { issuer, issuerKeys }: RealisticAuthority,
): Promise<{ leaf: x509.X509Certificate; keys: CryptoKeyPair }> {
  const keys = await rsaKeys();
  const leaf = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [(hosts[0] ?? '').slice(0, 64)] }],
    issuer: issuer.subject,
    notBefore: issuer.notBefore,
    notAfter: issuer.notAfter,
    publicKey: keys.publicKey,
    signingKey: issuerKeys.privateKey,
    signingAlgorithm: RSA_ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
        true,
      ),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: 'dns' as const, value })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuerKeys.publicKey),
      ...whereToAsk('issuing-authority'),
      new x509.Extension(SCT_LIST, false, sctList(2)),
    ],
  });
  return { leaf, keys };
}

function rsaKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(RSA_ALGORITHM, true, ['sign', 'verify']);
}

/** Policy, revocation list and issuer's address, as every public certificate has them; nothing answers there. */
function whereToAsk(who: string): x509.Extension[] {
  return [
    new x509.CertificatePolicyExtension(['2.23.140.1.2.1']),
    new x509.CRLDistributionPointsExtension([`http://crl.${who}.test/realistic-size/1.crl`]),
    new x509.AuthorityInfoAccessExtension({
      ocsp: `http://ocsp.${who}.test/realistic-size`,
      caIssuers: `http://certificates.${who}.test/realistic-size/1.crt`,
    }),
  ];
}

const SCT_LIST = '1.3.6.1.4.1.11129.2.4.2';
const SCT_BYTES = 127;
/** Its tag, and that two bytes of length follow: enough for 256 bytes and more. */
const OCTET_STRING = Buffer.from([0x04, 0x82]);

/**
 * A list of signed certificate timestamps as RFC 6962, section 3.3 lays it out. No log ever saw these: log and signature are
 * random bytes, there for their size alone.
 */
function sctList(count: number): Uint8Array<ArrayBuffer> {
  const scts = Array.from({ length: count }, () => {
    const sct = randomBytes(SCT_BYTES);
    sct[0] = 0;
    return Buffer.concat([lengthOf(sct), sct]);
  });
  const list = Buffer.concat(scts);
  const withLength = Buffer.concat([lengthOf(list), list]);
  return new Uint8Array(Buffer.concat([OCTET_STRING, lengthOf(withLength), withLength]));
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}
