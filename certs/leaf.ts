import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type Authority,
  certificatesFolder,
  ensureAuthority,
  KEY_ALGORITHM,
  keyPem,
  MARGIN_MS,
} from './authority.ts';
import * as x509 from './x509.ts';

/** Makes the certificates of these hosts that are missing, `<host>.pem` and `<host>.key`. */
export async function ensureLeaves(hosts: string[], folder = certificatesFolder): Promise<void> {
  const authority = await ensureAuthority(folder);
  for (const host of hosts) {
    if (!(await isGood(host, authority, folder))) await makeLeaf(host, authority, folder);
  }
}

/** Base64 SHA-256 of a host's public key (SPKI): what Chromium is told to accept. */
export async function spkiPin(host: string, folder = certificatesFolder): Promise<string> {
  const certificate = new X509Certificate(await readFile(leafFiles(host, folder).certificate));
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64');
}

function leafFiles(host: string, folder: string) {
  return { certificate: path.join(folder, `${host}.pem`), key: path.join(folder, `${host}.key`) };
}

async function isGood(host: string, authority: Authority, folder: string): Promise<boolean> {
  const files = leafFiles(host, folder);
  if (!existsSync(files.certificate) || !existsSync(files.key)) return false;
  const certificate = new X509Certificate(await readFile(files.certificate));
  const signer = new X509Certificate(authority.certificate.toString('pem'));
  return (
    certificate.verify(signer.publicKey) && Date.parse(certificate.validTo) > Date.now() + MARGIN_MS
  );
}

async function makeLeaf(host: string, authority: Authority, folder: string): Promise<void> {
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
  const leaf = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [host.slice(0, 64)] }],
    issuer: authority.certificate.subject,
    notBefore: authority.certificate.notBefore,
    notAfter: authority.certificate.notAfter,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: KEY_ALGORITHM,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  const files = leafFiles(host, folder);
  await writeFile(files.key, await keyPem(keys.privateKey), { mode: 0o600 });
  await writeFile(files.certificate, leaf.toString('pem'));
}
