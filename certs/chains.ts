import { randomBytes } from 'node:crypto';
import {
  type Authority,
  type ChainKind,
  newKeys,
  newLifetime,
  subjectAltNames,
} from './authority.ts';
import * as x509 from './x509.ts';

/** RSA-2048 with SHA-256, which signs most certificates of the web's larger sites. */
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};

const ISSUER = 'C=ZZ, O=quic-vs-https local test, CN=Issuing Authority of Realistic Size 1';
const ROOT = 'C=ZZ, O=quic-vs-https local test, OU=Root Operations, CN=Root of Realistic Size 1';
const OLDER_ROOT =
  'C=ZZ, O=quic-vs-https older test, OU=Root Operations, CN=Older Root of Realistic Size';

const { digitalSignature, keyEncipherment, keyCertSign, cRLSign } = x509.KeyUsageFlags;

/** Certificates of usual size: leaves have all extensions of a public certificate. */
export const REALISTIC: ChainKind = {
  algorithm: RSA,
  fileName: 'ISSUER',
  isAuthoritySent: true,
  makeAuthority,
  async leafExtensions(hosts, publicKey, { issuerKeys }) {
    return [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
      TLS_USAGE,
      subjectAltNames(hosts),
      ...(await issuerExtensions(publicKey, issuerKeys.publicKey, 'issuing-authority')),
      new x509.Extension(SCT_LIST, false, sctList(2)),
    ];
  },
};

/** Makes an issuing authority and its root, signed by an older root; the roots' keys are thrown away. */
async function makeAuthority(): Promise<Authority> {
  const validity = newLifetime();
  const rsaKeys = () => newKeys(RSA);
  const [issuerKeys, rootKeys, olderKeys] = await Promise.all([rsaKeys(), rsaKeys(), rsaKeys()]);
  const authority = async (
    subject: string,
    { publicKey }: CryptoKeyPair,
    issuer: string,
    signer: CryptoKeyPair,
  ) =>
    x509.X509CertificateGenerator.create({
      ...validity,
      subject,
      issuer,
      publicKey,
      signingKey: signer.privateKey,
      signingAlgorithm: RSA,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(keyCertSign | cRLSign | digitalSignature, true),
        TLS_USAGE,
        ...(await issuerExtensions(
          publicKey,
          signer.publicKey,
          issuer === OLDER_ROOT ? 'older-root' : 'root',
        )),
      ],
    });
  const issuer = await authority(ISSUER, issuerKeys, ROOT, rootKeys);
  const root = await authority(ROOT, rootKeys, OLDER_ROOT, olderKeys);
  return { issuer, issuerKeys, above: [root] };
}

const TLS_USAGE = new x509.ExtendedKeyUsageExtension([
  x509.ExtendedKeyUsage.serverAuth,
  x509.ExtendedKeyUsage.clientAuth,
]);

/**
 * Key identifiers, policy, revocation list and issuer's address, as in every public certificate; the addresses do not exist.
 * @param signer name in the addresses
 */
async function issuerExtensions(
  publicKey: CryptoKey,
  signerKey: CryptoKey,
  signer: string,
): Promise<x509.Extension[]> {
  return [
    await x509.SubjectKeyIdentifierExtension.create(publicKey),
    await x509.AuthorityKeyIdentifierExtension.create(signerKey),
    new x509.CertificatePolicyExtension(['2.23.140.1.2.1']),
    new x509.CRLDistributionPointsExtension([`http://crl.${signer}.test/realistic-size/1.crl`]),
    new x509.AuthorityInfoAccessExtension({
      ocsp: `http://ocsp.${signer}.test/realistic-size`,
      caIssuers: `http://certificates.${signer}.test/realistic-size/1.crt`,
    }),
  ];
}

const SCT_LIST = '1.3.6.1.4.1.11129.2.4.2';
const SCT_BYTES = 127;
/** Tag of an OCTET STRING, and the mark of a length of two bytes. */
const OCTET_STRING = Buffer.from([0x04, 0x82]);

/**
 * A list of signed certificate timestamps in the format of RFC 6962, section 3.3. Log and signature are random bytes of the
 * right size.
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

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** The smallest certificates that browsers accept. */
export const SMALL: ChainKind = {
  algorithm: ECDSA,
  fileName: 'CA',
  isAuthoritySent: false,
  async makeAuthority() {
    const keys = await newKeys(ECDSA);
    const issuer = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=quic-vs-https local test authority',
      ...newLifetime(),
      keys,
      signingAlgorithm: ECDSA,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    });
    return { issuer, issuerKeys: keys, above: [] };
  },
  async leafExtensions(hosts) {
    return [
      subjectAltNames(hosts),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ];
  },
};
