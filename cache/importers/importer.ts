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
  /** null: the archive has no title for it. */
  title: string | null;
}

export interface ImportFormat {
  /** Short name, as in `warc`; manifests have it as `importedFrom`. */
  format: string;
  /** For the help of `import`: `a WACZ`. */
  help: string;
  /** For messages: what a file or folder of this format is, and which programs write it. */
  what: string;
  /** For the help of `import`: arguments after the command, with their effect. */
  example?: readonly [words: string, what: string];
  load: () => Promise<Importer>;
}

interface Recogniser {
  /**
   * Whether a path looks like this format: by the beginning of the file or the names in the folder. Reads little, and never
   * throws: an unreadable path is not recognised.
   */
  recognise: (archive: string) => Promise<boolean>;
}

export interface PageImporter extends Recogniser {
  /**
   * Reads an archive.
   * Skips an unusable entry with a note.
   * @throws ImportError when it has no usable entry, or a limit is passed
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
