import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { madeFolder } from '../ground/system/folders.mjs';
import { readPlainFile, readPlainText } from '../ground/system/plain-file.ts';
import * as x509 from './x509.ts';

x509.cryptoProvider.set(crypto);

/** Folder of generated keys and certificates; not in git. */
export const certificatesFolder = path.join(madeFolder, 'certs', 'generated');

/** Reads or creates the authority of a kind of chain; replaces it before it expires. */
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

const OTHERS_PERMISSIONS = 0o077;

/** Creates a folder that only its owner can access, or restricts an existing one. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // An existing folder keeps its mode.
  await chmod(folder, 0o700);
}

/** Writes a file that only its owner can read, atomically for concurrent readers. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  // A new file, since an existing one would keep its mode.
  const written = `${file}.${randomUUID()}`;
  try {
    await writeFile(written, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** Whether a file exists that only its owner can read or write. */
export async function isPrivate(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && (found.mode & OTHERS_PERMISSIONS) === 0;
}

/** Base64 SHA-256 of a host's public key (SPKI), which Chromium is configured to accept. */
export async function spkiPin(host: string, folder = certificatesFolder): Promise<string> {
  return pinOf(await readPlainFile(path.join(folder, `${host}.pem`)));
}

/** Base64 SHA-256 of the public key (SPKI) of a certificate, DER or PEM. */
export function pinOf(certificate: Uint8Array | string): string {
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64');
}

const DAY_MS = 24 * 3600 * 1000;

/** Validity of authorities and leaves; short, to limit the use of a leaked key. */
export const LIFETIME_MS = 14 * DAY_MS;

/** Certificates with less validity left are replaced before servers start, so that they do not expire during a run. */
export const MARGIN_MS = 7 * DAY_MS;

/** Validity of a new certificate; it begins a day before now, for slow clocks. */
export function newLifetime(): { notBefore: Date; notAfter: Date } {
  const nowMs = Date.now();
  return { notBefore: new Date(nowMs - DAY_MS), notAfter: new Date(nowMs + LIFETIME_MS) };
}

/** Whether a certificate is valid for more than MARGIN_MS, and no longer than a new one. */
export function isFresh(notAfter: Date): boolean {
  const leftMs = notAfter.getTime() - Date.now();
  return leftMs > MARGIN_MS && leftMs <= LIFETIME_MS;
}

export interface Authority {
  /** Signs leaves. */
  issuer: x509.X509Certificate;
  issuerKeys: CryptoKeyPair;
  /** Links the issuer to a widely trusted root. */
  above: x509.X509Certificate[];
}

/** Certificates of one size: an authority and its leaves. */
export interface ChainKind {
  /** Key type of the authority and of every leaf. */
  algorithm: (EcKeyGenParams | RsaHashedKeyGenParams) & { hash: string };
  fileName: string;
  isAuthoritySent: boolean;
  makeAuthority(): Promise<Authority>;
  leafExtensions(
    hosts: readonly string[],
    publicKey: CryptoKey,
    authority: Authority,
  ): Promise<x509.Extension[]>;
}

export function newKeys(algorithm: ChainKind['algorithm']): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

export function subjectAltNames(hosts: readonly string[]): x509.Extension {
  return new x509.SubjectAlternativeNameExtension(
    hosts.map((value) => ({ type: 'dns' as const, value })),
  );
}
