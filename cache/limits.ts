import { countText } from '../kit/text/number.ts';
import { ImportError } from './import-error.ts';

/** Limits of an archive: a small file from an unknown source can unpack to any size. */
export interface ImportLimits {
  /** Requests with their responses. */
  readonly entries: number;
  /** Size of an archive that is one file and is read whole, after decompression. */
  readonly fileBytes: number;
  /** All bodies together, after their content codings are taken off. */
  readonly totalBytes: number;
  /** One body, as sent and after its content coding is taken off. */
  readonly bodyBytes: number;
  /** Names and values of one response's headers. */
  readonly headerBytes: number;
  readonly headers: number;
  readonly urlLength: number;
  /** Names and values of all cookies that a page sets. */
  readonly cookieBytes: number;
}

export const IMPORT_LIMITS: ImportLimits = {
  // The largest pages known have some thousands; at 100,000 the manifest has 60 MB.
  entries: 100_000,
  // The longest text that JavaScript holds has 536,870,888 characters.
  fileBytes: 500_000_000,
  // All bodies are in memory at once, as sent and decoded.
  totalBytes: 1_000_000_000,
  bodyBytes: 256_000_000,
  // Chromium refuses a response with more header bytes than this.
  headerBytes: 256_000,
  // Twice the largest known response; Node's own limit for HTTP/1.1 is 2,000.
  headers: 1_000,
  // Every stack answers these (servers/README.md, Contract).
  urlLength: 16_000,
  cookieBytes: 60_000,
};

/**
 * Counts the resources that an import uses.
 * @param file name of the archive in messages
 */
export function importBudget(file: string, limits: ImportLimits) {
  let entries = 0;
  let totalBytes = 0;
  return {
    limits,
    /** @throws ImportError if this entry exceeds the limit */
    takeEntry: (): void => {
      entries += 1;
      if (entries <= limits.entries) return;
      throw new ImportError(
        `${file} has more than ${countText(limits.entries)} entries. A page has some thousands at most: give an archive of one page.`,
      );
    },
    /** @throws ImportError when the body is too large, or all bodies together are */
    takeBody: (bytes: number, where: string): void => {
      if (bytes > limits.bodyBytes) {
        throw new ImportError(
          `${where}: the body has ${countText(bytes)} bytes or more, at most ${countText(limits.bodyBytes)} are imported. Remove this response from the archive.`,
        );
      }
      totalBytes += bytes;
      if (totalBytes <= limits.totalBytes) return;
      throw new ImportError(
        `${where}: with this body all together have more than ${countText(limits.totalBytes)} bytes. Use an archive of one page.`,
      );
    },
  };
}

export type ImportBudget = ReturnType<typeof importBudget>;
