import { type Authority, KEY_ALGORITHM } from './authority.ts';
import * as x509 from './x509.ts';

/** Makes the smallest certificate that browsers take for these hosts, with a key of its own. */
export async function makeLeaf(
  hosts: readonly string[],
  authority: Authority,
): Promise<{ leaf: x509.X509Certificate; keys: CryptoKeyPair }> {
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
  const leaf = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [(hosts[0] ?? '').slice(0, 64)] }],
    issuer: authority.certificate.subject,
    notBefore: authority.certificate.notBefore,
    notAfter: authority.certificate.notAfter,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: KEY_ALGORITHM,
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: 'dns' as const, value })),
      ),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  return { leaf, keys };
}
