import { shellLine } from '../../ground/system/shell-word.ts';
import type { Resource, SiteManifest } from '../manifest.ts';
import type { Note } from '../notes.ts';

export interface ExportedSite {
  manifest: SiteManifest;
  manifestText: string;
  /** The bytes as sent; empty where there is no body. */
  bodyOf: (resource: Resource) => Promise<Buffer>;
}

/** Writes to a path where nothing is yet. Answers what the format cannot hold, and what to do with it at the place where it ends up. */
export type WriteSite = (
  site: ExportedSite,
  target: string,
) => Promise<{ notes: Note[]; next: (target: string) => string }>;

export interface ExportFormat {
  /** What `--to` takes. */
  format: string;
  /** What the name of the file or folder ends with, behind that of the site, where the user names none. */
  ending: string;
  /** What is written, for the help of `--to`. */
  help: string;
  /** For the help of `export`: what an example writes; absent: there is none. */
  example?: string;
  /** The program that answers from what is written, and the package of Debian and Ubuntu that has it; absent: none does. */
  server?: { program: string; from: string };
  load: () => Promise<WriteSite>;
}

/** What is written for a server, for the help of `--to`. */
export const SERVER_HELP = 'a folder that this server answers from, with a start.sh for --server';

/** How what was exported becomes a site again. */
export function importOf(target: string, ...further: string[]): string {
  return `Import it: npm run import -- ${shellLine([target, ...further])}`;
}
