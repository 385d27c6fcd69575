import { type ChainKind, namesOf, newKeys } from './chain-kind.ts';
import { newLifetime } from './lifetime.ts';
import * as x509 from './x509.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** The smallest certificates that browsers take. */
export const SMALL: ChainKind = {
  algorithm,
  fileName: 'CA',
  isAuthoritySent: false,
  async makeAuthority() {
    const keys = await newKeys(algorithm);
    const issuer = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=quic-vs-https local test authority',
      ...newLifetime(),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    });
    return { issuer, issuerKeys: keys, above: [] };
  },
  async leafExtensions(hosts) {
    return [namesOf(hosts), new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth])];
  },
};
