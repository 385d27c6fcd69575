import type { ImportLimits } from '../limits.ts';
import type { Recording } from '../recording.ts';
import type { RecordedSite } from '../site-of-recording.ts';

export interface ReadOptions {
  limits: ImportLimits;
  /** The main document as the user named it (`--document`): a URL, or a file below a folder; null: find it. */
  document: string | null;
}

export interface ArchivePage {
  /** What `--document` takes to choose it. */
  document: string;
  /** As the archive calls it; null: it does not say. */
  title: string | null;
}

export interface ImportFormat {
  /** Short name, as in `warc`; manifests have it as `importedFrom`. */
  format: string;
  /** For the help of `import`: `a WACZ`. */
  help: string;
  /** For messages: what a file or folder of this format is, and which programs write it. */
  what: string;
  /** For the help of `import`: words behind the command, with what they do. */
  example?: readonly [words: string, what: string];
  load: () => Promise<Importer>;
}

interface Recogniser {
  /**
   * Whether a path looks like this format: by the beginning of the file or the names in the folder. Reads little, and never
   * throws: what cannot be read is not recognised.
   */
  recognise: (archive: string) => Promise<boolean>;
}

export interface PageImporter extends Recogniser {
  /**
   * Reads an archive.
   * @throws ImportError when nothing of it can be used, or a limit is passed; single entries that cannot be used are notes
   */
  read: (archive: string, options: ReadOptions) => Promise<Recording>;
  /**
   * The pages that an archive has.
   * @throws ImportError as `read`
   */
  pages: (archive: string, limits: ImportLimits) => Promise<ArchivePage[]>;
}

interface VideoImporter extends Recogniser {
  /** @throws ImportError when the video cannot be played, or a limit is passed */
  readVideo: (file: string, limits: ImportLimits) => Promise<RecordedSite>;
}

export type Importer = PageImporter | VideoImporter;
