import path from 'node:path';
import type { Runtime } from './runtime.ts';

// The QUIC server needs a Bun with lsquic. Bun 1.4 does not report lsquic's version, which depends on the revision of Bun's source.
const VERSION_SCRIPT = `
await import('node:quic');
const unreported = 'as in Bun ' + Bun.version + ' (revision ' + Bun.revision + '), which does not report its version';
const { lsquic = unreported } = process.versions;
console.log(JSON.stringify({ bun: Bun.version, lsquic }));
`;

/** Runs TypeScript, with built-in HTTP/3 and HTTP/2. */
export const bun: Runtime = {
  name: 'bun',
  title: 'Bun',
  program: path.join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'bun'),
  // Bun refuses requests with more than 16 kB of URL and headers by default.
  arguments: ['--max-http-header-size=262144'],
  versionArgs: ['-e', VERSION_SCRIPT],
  versionsText: ({ bun: version }) => `${version}, with QUIC (lsquic)`,
};
