import path from 'node:path';
import type { Runtime } from './runtime.ts';

// The QUIC server needs a Bun that was built with it.
const ASK = 'await import("node:quic"); console.log(JSON.stringify({ bun: Bun.version }))';

/** Runs TypeScript, and has HTTP/3 and HTTP/2 in it. */
export const bun: Runtime = {
  title: 'Bun',
  program: path.join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'bun'),
  askVersions: ['-e', ASK],
  versionsText: ({ bun: version }) => `${version}, with QUIC (lsquic)`,
};
