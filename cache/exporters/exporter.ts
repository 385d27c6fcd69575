import { shellLine } from '../../ground/system/shell-word.ts';
import type { Resource, SiteManifest } from '../manifest.ts';
import type { Note } from '../notes.ts';

/** A site that is to be written in a format of other tools. */
export interface ExportedSite {
  manifest: SiteManifest;
  /** The manifest's file. */
  manifestText: string;
  /** The bytes as sent; empty where there is no body. */
  bodyOf: (resource: Resource) => Promise<Buffer>;
}

/** One format that sites can be written in. */
export interface Exporter {
  format: 'har' | 'warc' | 'wget' | 'nginx' | 'caddy' | 'apache';
  /** What the file or folder of a site is called where the user names none. */
  nameOf: (site: string) => string;
  /** Writes to a path where nothing is yet. Answers what the format cannot hold, and what to do with it at the place where it ends up. */
  write: (
    site: ExportedSite,
    target: string,
  ) => Promise<{ notes: Note[]; next: (target: string) => string }>;
}

/** How what was exported becomes a site again. */
export function importOf(target: string, ...further: string[]): string {
  return `Import it: npm run import -- ${shellLine([target, ...further])}`;
}
