import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readPlainFile, readPlainText } from '../ground/system/plain-file.ts';
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

const OTHERS_PERMISSIONS = 0o077;

/** Makes a folder, or takes one, that only its owner may look into. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // One that was there keeps the mode that it had.
  await chmod(folder, 0o700);
}

/** Writes a file that only its owner may read, whole or not at all; a concurrent reader sees the old one or the new one. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  // Written under a new name: the mode of a file that is there would stay.
  const written = `${file}.${randomUUID()}`;
  try {
    await writeFile(written, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** Whether a file is there and only its owner may read or write it. */
export async function isPrivate(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && (found.mode & OTHERS_PERMISSIONS) === 0;
}

/** Base64 SHA-256 of a host's public key (SPKI): what Chromium is told to accept. */
export async function spkiPin(host: string, folder = certificatesFolder): Promise<string> {
  return pinOf(await readPlainFile(path.join(folder, `${host}.pem`)));
}

/** The same of a certificate, DER or PEM. */
export function pinOf(certificate: Uint8Array | string): string {
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64');
}

const DAY_MS = 24 * 3600 * 1000;

/** How long authorities and leaves are good for: a key that got away is soon worth nothing. */
export const LIFETIME_MS = 14 * DAY_MS;

/** What has less than this left is replaced before servers start, so that none expires while they run. */
export const MARGIN_MS = 7 * DAY_MS;

/** From when to when a certificate made at this moment is good: from a day before, for clocks that are slow. */
export function newLifetime(): { notBefore: Date; notAfter: Date } {
  const nowMs = Date.now();
  return { notBefore: new Date(nowMs - DAY_MS), notAfter: new Date(nowMs + LIFETIME_MS) };
}

/** Whether a certificate is good for long enough, and for no longer than those that are made now. */
export function isFresh(notAfter: Date): boolean {
  const leftMs = notAfter.getTime() - Date.now();
  return leftMs > MARGIN_MS && leftMs <= LIFETIME_MS;
}

export interface Authority {
  /** Signs leaves. */
  issuer: x509.X509Certificate;
  issuerKeys: CryptoKeyPair;
  /** What links the issuer to a root that everybody has. */
  above: x509.X509Certificate[];
}

/** Certificates of one size: an authority and the leaves that it signs. */
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
