import { existsSync } from 'node:fs';
import { inMade } from './folders.mjs';
import type { Step } from './step.mjs';

/** The local authority; the certificates of a site's hosts are made when it is first loaded. */
export const certificates: Step = {
  title: 'making certificates',
  isDone: () =>
    ['CA.pem', 'CA.key'].every((file) => existsSync(inMade('certs', 'generated', file))),
  async run() {
    // Loaded on demand: most set-ups only check.
    const { ensureAuthority } = await import('../certs/authority.ts');
    const { SMALL } = await import('../certs/chains.ts');
    await ensureAuthority(SMALL);
  },
};
