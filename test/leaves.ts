import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { ensureCertificates } from '../certs/certificates.ts';
import { SMALL } from '../certs/chains.ts';

/** Makes the missing certificates of these hosts: small ones, each host its own. */
export async function ensureLeaves(hosts: readonly string[], folder?: string): Promise<void> {
  await ensureCertificates(hosts, { chain: 'small', origins: 'own' }, folder);
}

/**
 * Lets clients without rights read the certificate of the authority in a folder, which is then made
 * anew with the next leaves.
 */
export async function openAuthority(folder: string): Promise<void> {
  await chmod(folder, 0o711);
  await chmod(path.join(folder, `${SMALL.fileName}.pem`), 0o644);
}
