import type { Resource, SiteManifest } from '../manifest.ts';
import type { Note } from '../notes.ts';

/** A site that is to be written in a format of other tools. */
export interface ExportedSite {
  manifest: SiteManifest;
  /** The bytes as sent; empty where there is no body. */
  bodyOf: (resource: Resource) => Promise<Buffer>;
}

/** One format that sites can be written in. */
export interface Exporter {
  format: 'har' | 'warc' | 'wget';
  /** What the file or folder of a site is called where the user names none. */
  nameOf: (site: string) => string;
  /** Writes to a path where nothing is yet. Answers what the format cannot hold, and how to import it again. */
  write: (
    site: ExportedSite,
    target: string,
  ) => Promise<{ notes: Note[]; importArguments: string[] }>;
}
