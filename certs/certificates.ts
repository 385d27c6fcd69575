import { createHash, X509Certificate } from 'node:crypto';
import path from 'node:path';
import { readPlainText } from '../ground/system/plain-file.ts';
import {
  type Authority,
  type ChainKind,
  certificatesFolder,
  chainPem,
  ensureAuthority,
  isFresh,
  isPrivate,
  keyPem,
  makePrivateFolder,
  newKeys,
  writePrivateFile,
} from './authority.ts';
import { REALISTIC, SMALL } from './chains.ts';
import * as x509 from './x509.ts';

export interface CertificateChoice {
  /** small: one ECDSA leaf, about 400 bytes; realistic: an RSA leaf and two certificates above it, about 4 kB. */
  chain: 'small' | 'realistic';
  /** own: one certificate for each host; shared: one certificate for all hosts of the site. */
  origins: 'own' | 'shared';
}

/**
 * Creates missing or expiring certificates of these hosts.
 *
 * @returns the folder with each host's `<host>.pem` (the chain as sent) and `<host>.key`, for servers' --certs
 */
export async function ensureCertificates(
  hosts: readonly string[],
  { chain, origins }: CertificateChoice,
  folder = certificatesFolder,
): Promise<string> {
  const hostGroups = origins === 'shared' ? [hosts.toSorted()] : hosts.map((host) => [host]);
  const chainFolder = path.join(
    folder,
    ...(chain === 'small' ? [] : [chain]),
    ...(origins === 'own' ? [] : ['shared', digestOf(hosts.toSorted())]),
  );
  await makePrivateFolder(folder);
  await makePrivateFolder(chainFolder);
  const kind = KINDS[chain];
  const authority = await ensureAuthority(kind, authorityFolder(chain, folder));
  for (const group of hostGroups) {
    if (await areValid(group, authority.issuer, chainFolder)) continue;
    const { pem, key } = await makeLeaf(kind, group, authority);
    for (const host of group) {
      await writePrivateFile(path.join(chainFolder, `${host}.key`), key);
      await writePrivateFile(path.join(chainFolder, `${host}.pem`), pem);
    }
  }
  return chainFolder;
}

/** PEM file of the authority that signs the certificates of ensureCertificates(). */
export function authorityFile(
  { chain }: Pick<CertificateChoice, 'chain'>,
  folder = certificatesFolder,
): string {
  const { fileName } = KINDS[chain];
  return path.join(authorityFolder(chain, folder), `${fileName}.pem`);
}

function authorityFolder(chain: CertificateChoice['chain'], folder: string): string {
  return chain === 'small' ? folder : path.join(folder, chain);
}

const KINDS: Record<CertificateChoice['chain'], ChainKind> = { small: SMALL, realistic: REALISTIC };

/** A new chain, leaf first, and its leaf's key, both in PEM. */
async function makeLeaf(
  kind: ChainKind,
  hosts: readonly string[],
  authority: Authority,
): Promise<{ pem: string; key: string }> {
  const { issuer, issuerKeys, above } = authority;
  const keys = await newKeys(kind.algorithm);
  const leaf = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [(hosts[0] ?? '').slice(0, 64)] }],
    issuer: issuer.subject,
    notBefore: issuer.notBefore,
    notAfter: issuer.notAfter,
    publicKey: keys.publicKey,
    signingKey: issuerKeys.privateKey,
    signingAlgorithm: kind.algorithm,
    extensions: await kind.leafExtensions(hosts, keys.publicKey, authority),
  });
  const sent = kind.isAuthoritySent ? [leaf, issuer, ...above] : [leaf];
  return { pem: chainPem(sent), key: await keyPem(keys.privateKey) };
}

/** Total DER bytes of a host's chain as sent, without compression. */
export async function chainBytes(host: string, folder = certificatesFolder): Promise<number> {
  const pem = await readPlainText(path.join(folder, `${host}.pem`));
  return x509.PemConverter.decode(pem).reduce((sum, der) => sum + der.byteLength, 0);
}

/** Whether one valid certificate covers all hosts. */
async function areValid(
  hosts: readonly string[],
  signer: x509.X509Certificate,
  folder: string,
): Promise<boolean> {
  const publicKey = new X509Certificate(signer.toString('pem')).publicKey;
  const pems = new Set<string>();
  for (const host of hosts) {
    const files = [path.join(folder, `${host}.pem`), path.join(folder, `${host}.key`)] as const;
    for (const file of files) if (!(await isPrivate(file))) return false;
    pems.add(await readPlainText(files[0]));
  }
  const [pem, ...different] = pems;
  if (pem === undefined || different.length > 0) return false;
  const leaf = new X509Certificate(pem);
  return (
    leaf.verify(publicKey) &&
    hosts.every((host) => leaf.checkHost(host) !== undefined) &&
    isFresh(new Date(leaf.validTo))
  );
}

function digestOf(hosts: readonly string[]): string {
  return createHash('sha256').update(hosts.join(' ')).digest('hex').slice(0, 16);
}
