import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as x509 from './x509.ts';

x509.cryptoProvider.set(crypto);

/** Key type of the authority and of every leaf. */
export const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Where generated keys and certificates lie; not in git. */
export const certificatesFolder = path.join(import.meta.dirname, 'generated');

/** A certificate that signs the leaves of all hosts. */
export interface Authority {
  certificate: x509.X509Certificate;
  keys: CryptoKeyPair;
}

/** Reads the local certificate authority from the folder, or makes it there. */
export async function ensureAuthority(folder = certificatesFolder): Promise<Authority> {
  const files = { certificate: path.join(folder, 'ca.pem'), key: path.join(folder, 'ca.key') };
  if (existsSync(files.certificate) && existsSync(files.key)) {
    const certificate = new x509.X509Certificate(await readFile(files.certificate, 'utf8'));
    if (certificate.notAfter.getTime() > Date.now() + MARGIN_MS) {
      const publicKey = await certificate.publicKey.export();
      return { certificate, keys: { publicKey, privateKey: await readKey(files.key) } };
    }
  }
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=quic-vs-https local test authority',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 10 * 365 * DAY_MS),
    keys,
    signingAlgorithm: KEY_ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  await mkdir(folder, { recursive: true });
  await writeFile(files.key, await keyPem(keys.privateKey), { mode: 0o600 });
  await writeFile(files.certificate, certificate.toString('pem'));
  return { certificate, keys };
}

const DAY_MS = 24 * 3600 * 1000;

/** Certificates are renewed this long before they end, so that none ends during a run. */
export const MARGIN_MS = 30 * DAY_MS;

/** A private key as PKCS#8 in PEM. */
export async function keyPem(key: CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

async function readKey(file: string): Promise<CryptoKey> {
  const [der] = x509.PemConverter.decode(await readFile(file, 'utf8'));
  if (!der) throw new Error(`${file} holds no key; delete it and run npm run setup`);
  return crypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, true, ['sign']);
}
