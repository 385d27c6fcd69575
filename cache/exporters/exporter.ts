import { shellLine } from '../../ground/system/shell-word.ts';
import type { Resource, SiteManifest } from '../manifest.ts';
import type { Note } from '../notes.ts';

export interface ExportedSite {
  manifest: SiteManifest;
  manifestText: string;
  /** The bytes as sent; empty without a body. */
  bodyOf: (resource: Resource) => Promise<Buffer>;
}

/**
 * Writes to a path that does not exist yet. Returns notes on losses, and the text that says how to use the result at its
 * final path.
 */
export type WriteSite = (
  site: ExportedSite,
  target: string,
) => Promise<{ notes: Note[]; next: (target: string) => string }>;

export interface ExportFormat {
  /** Value of `--to`. */
  format: string;
  /** Suffix of the default name, after the site's. */
  ending: string;
  help: string;
  /** Example for the help of `export`; absent: no example. */
  example?: string;
  /** The server program, and its package in Debian and Ubuntu; absent: not for a server. */
  server?: { program: string; from: string };
  load: () => Promise<WriteSite>;
}

/** Description of formats for a server in the help of `--to`. */
export const SERVER_HELP = 'a folder that this server answers from, with a start.sh for --server';

/** How to import the export again. */
export function importOf(target: string, ...further: string[]): string {
  return `Import it: npm run import -- ${shellLine([target, ...further])}`;
}
