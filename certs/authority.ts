import path from 'node:path';
import { readPlainText } from '../ground/system/plain-file.ts';
import type { Authority, ChainKind } from './chain-kind.ts';
import { isFresh } from './lifetime.ts';
import { isPrivate, makePrivateFolder, writePrivateFile } from './private-files.ts';
import * as x509 from './x509.ts';

x509.cryptoProvider.set(crypto);

/** Where generated keys and certificates lie; not in git. */
export const certificatesFolder = path.join(import.meta.dirname, 'generated');

/** Reads the authority of a kind of chain from the folder, or makes it there; replaces it when it is about to expire. */
export async function ensureAuthority(
  kind: ChainKind,
  folder = certificatesFolder,
): Promise<Authority> {
  const file = path.join(folder, kind.fileName);
  const files = { certificates: `${file}.pem`, key: `${file}.key` };
  if ((await isPrivate(files.certificates)) && (await isPrivate(files.key))) {
    const [issuer, ...above] = x509.PemConverter.decode(
      await readPlainText(files.certificates),
    ).map((der) => new x509.X509Certificate(der));
    if (issuer && isFresh(issuer.notAfter)) {
      const publicKey = await issuer.publicKey.export();
      const privateKey = await readKey(files.key, kind);
      return { issuer, issuerKeys: { publicKey, privateKey }, above };
    }
  }
  const authority = await kind.makeAuthority();
  await makePrivateFolder(folder);
  await writePrivateFile(files.key, await keyPem(authority.issuerKeys.privateKey));
  await writePrivateFile(files.certificates, chainPem([authority.issuer, ...authority.above]));
  return authority;
}

/** Certificates in PEM, one after the other. */
export function chainPem(certificates: readonly x509.X509Certificate[]): string {
  return certificates.map((each) => each.toString('pem')).join('\n');
}

/** A private key as PKCS#8 in PEM. */
export async function keyPem(key: CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

async function readKey(file: string, { algorithm }: ChainKind): Promise<CryptoKey> {
  const [der] = x509.PemConverter.decode(await readPlainText(file));
  if (!der) throw new Error(`${file} holds no key; delete it and run npm run setup`);
  return crypto.subtle.importKey('pkcs8', der, algorithm, true, ['sign']);
}
