import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Authority, certificatesFolder, ensureAuthority, keyPem } from './authority.ts';
import { isFresh, newLifetime } from './lifetime.ts';
import { isPrivate, makePrivateFolder, writePrivateFile } from './private-files.ts';
import {
  makeRealisticAuthority,
  makeRealisticLeaf,
  type RealisticAuthority,
  RSA_ALGORITHM,
} from './realistic.ts';
import { makeLeaf } from './small.ts';
import * as x509 from './x509.ts';

/** Which certificates servers show. */
export interface CertificateChoice {
  /** small: one ECDSA leaf, about 400 bytes; realistic: an RSA leaf and two certificates above it, about 4 kB. */
  chain: 'small' | 'realistic';
  /** own: each host has a certificate of its own; shared: one certificate names all hosts of the site. */
  origins: 'own' | 'shared';
}

/**
 * Makes the certificates of these hosts that are missing or about to end.
 *
 * @returns the folder with `<host>.pem` (the chain as it is sent) and `<host>.key` of each: what servers want as --certs,
 *   spkiPin() and chainBytes() as their folder
 */
export async function ensureCertificates(
  hosts: readonly string[],
  { chain, origins }: CertificateChoice,
  folder = certificatesFolder,
): Promise<string> {
  const sharing = origins === 'shared' ? [hosts.toSorted()] : hosts.map((host) => [host]);
  const place = path.join(
    folder,
    ...(chain === 'small' ? [] : [chain]),
    ...(origins === 'own' ? [] : ['shared', digestOf(hosts.toSorted())]),
  );
  await makePrivateFolder(folder);
  await makePrivateFolder(place);
  const authority =
    chain === 'small'
      ? await ensureAuthority(folder)
      : await ensureRealisticAuthority(path.join(folder, chain));
  const signer = 'issuer' in authority ? authority.issuer : authority.certificate;
  for (const group of sharing) {
    if (await areGood(group, signer, place)) continue;
    const made =
      'issuer' in authority ? await realistic(group, authority) : await small(group, authority);
    for (const host of group) {
      await writePrivateFile(path.join(place, `${host}.key`), made.key);
      await writePrivateFile(path.join(place, `${host}.pem`), made.chain);
    }
  }
  return place;
}

/** Bytes of a host's chain as a server sends it, DER of all certificates together, without any compression. */
export async function chainBytes(host: string, folder = certificatesFolder): Promise<number> {
  const pem = await readFile(path.join(folder, `${host}.pem`), 'utf8');
  return x509.PemConverter.decode(pem).reduce((sum, der) => sum + der.byteLength, 0);
}

interface Made {
  /** PEM, leaf first. */
  chain: string;
  /** PEM. */
  key: string;
}

async function small(hosts: readonly string[], authority: Authority): Promise<Made> {
  const { leaf, keys } = await makeLeaf(hosts, authority);
  return { chain: leaf.toString('pem'), key: await keyPem(keys.privateKey) };
}

async function realistic(hosts: readonly string[], authority: RealisticAuthority): Promise<Made> {
  const { leaf, keys } = await makeRealisticLeaf(hosts, authority);
  const chain = [leaf, ...authority.sent].map((each) => each.toString('pem')).join('\n');
  return { chain, key: await keyPem(keys.privateKey) };
}

/** Whether every host has this same good certificate for all of them. */
async function areGood(
  hosts: readonly string[],
  signer: x509.X509Certificate,
  folder: string,
): Promise<boolean> {
  const publicKey = new X509Certificate(signer.toString('pem')).publicKey;
  const pems = new Set<string>();
  for (const host of hosts) {
    const files = [path.join(folder, `${host}.pem`), path.join(folder, `${host}.key`)] as const;
    for (const file of files) if (!(await isPrivate(file))) return false;
    pems.add(await readFile(files[0], 'utf8'));
  }
  const [pem, ...others] = pems;
  if (pem === undefined || others.length > 0) return false;
  const leaf = new X509Certificate(pem);
  return (
    leaf.verify(publicKey) &&
    hosts.every((host) => leaf.checkHost(host) !== undefined) &&
    isFresh(new Date(leaf.validTo))
  );
}

/** Reads the issuing authority of the realistic chain from the folder, or makes it there. */
async function ensureRealisticAuthority(folder: string): Promise<RealisticAuthority> {
  const files = { sent: path.join(folder, 'issuer.pem'), key: path.join(folder, 'issuer.key') };
  if ((await isPrivate(files.sent)) && (await isPrivate(files.key))) {
    const sent = x509.PemConverter.decode(await readFile(files.sent, 'utf8')).map(
      (der) => new x509.X509Certificate(der),
    );
    const [issuer] = sent;
    if (issuer && isFresh(issuer.notAfter)) {
      const [der] = x509.PemConverter.decode(await readFile(files.key, 'utf8'));
      if (!der) throw new Error(`${files.key} holds no key; delete it and run npm run setup`);
      const privateKey = await crypto.subtle.importKey('pkcs8', der, RSA_ALGORITHM, true, ['sign']);
      return {
        issuer,
        sent,
        issuerKeys: { privateKey, publicKey: await issuer.publicKey.export() },
      };
    }
  }
  const authority = await makeRealisticAuthority(newLifetime());
  await makePrivateFolder(folder);
  await writePrivateFile(files.key, await keyPem(authority.issuerKeys.privateKey));
  await writePrivateFile(files.sent, authority.sent.map((each) => each.toString('pem')).join('\n'));
  return authority;
}

function digestOf(hosts: readonly string[]): string {
  return createHash('sha256').update(hosts.join(' ')).digest('hex').slice(0, 16);
}
