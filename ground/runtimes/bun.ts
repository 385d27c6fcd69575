import path from 'node:path';
import { BUN, bunProgram, madeFolder } from '../system/folders.mjs';
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
  program: bunProgram,
  // Bun refuses requests with more than 16 kB of URL and headers by default.
  arguments: ['--max-http-header-size=262144'],
  versionArgs: ['-e', VERSION_SCRIPT],
  versionsText: ({ bun: version }) => `${version}, with QUIC (lsquic)`,
  versions: {
    library: 'bun',
    at: (version, folder) => ({
      program: path.join(madeFolder, folder, 'node_modules', BUN, 'bin', 'bun'),
      madeFrom: [],
      needs: { program: 'npm', versionArg: ['--version'], remedy: 'It comes with Node' },
      async fetch(command) {
        await command('rm', ['-rf', folder]);
        await command('mkdir', ['-p', folder]);
        const npm = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];
        const got = await command('npm', [...npm, `${BUN}@${version}`]);
        return got.ok ? null : got.output;
      },
      async known(command) {
        const { ok, output } = await command('npm', ['view', BUN, 'versions', '--json']);
        return ok ? (JSON.parse(output) as string[]) : [];
      },
    }),
  },
};
