import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isFresh, newLifetime } from './lifetime.ts';
import { isPrivate, makePrivateFolder, writePrivateFile } from './private-files.ts';
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

/** Reads the local certificate authority from the folder, or makes it there; replaces it when it is about to expire. */
export async function ensureAuthority(folder = certificatesFolder): Promise<Authority> {
  const files = { certificate: path.join(folder, 'ca.pem'), key: path.join(folder, 'ca.key') };
  if ((await isPrivate(files.certificate)) && (await isPrivate(files.key))) {
    const certificate = new x509.X509Certificate(await readFile(files.certificate, 'utf8'));
    if (isFresh(certificate.notAfter)) {
      const publicKey = await certificate.publicKey.export();
      return { certificate, keys: { publicKey, privateKey: await readKey(files.key) } };
    }
  }
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=quic-vs-https local test authority',
    ...newLifetime(),
    keys,
    signingAlgorithm: KEY_ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  await makePrivateFolder(folder);
  await writePrivateFile(files.key, await keyPem(keys.privateKey));
  await writePrivateFile(files.certificate, certificate.toString('pem'));
  return { certificate, keys };
}

/** A private key as PKCS#8 in PEM. */
export async function keyPem(key: CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

async function readKey(file: string): Promise<CryptoKey> {
  const [der] = x509.PemConverter.decode(await readFile(file, 'utf8'));
  if (!der) throw new Error(`${file} holds no key; delete it and run npm run setup`);
  return crypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, true, ['sign']);
}
