import { ensureCertificates } from '../certs/certificates.ts';

/** Makes the certificates of these hosts that are missing: small ones, each host its own. */
export async function ensureLeaves(hosts: readonly string[], folder?: string): Promise<void> {
  await ensureCertificates(hosts, { chain: 'small', origins: 'own' }, folder);
}
