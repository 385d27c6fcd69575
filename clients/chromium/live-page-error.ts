import { MachineError, NetworkError, UsageError } from '../../ground/system/errors.ts';
import type { ExitError } from '../../ground/system/exit-status.ts';
import type { Failure } from './failure.ts';

/** How the load of a page ended. */
interface LoadEnd {
  /** null: the page fired its load event. */
  failure: Failure | null;
  /** The document as the browser took it; null: none came. */
  document: { url: string; mimeType: string } | null;
}

/** Why a load cannot become a site, as an error for the user; null: it can. */
export function livePageError(url: string, { failure, document }: LoadEnd): ExitError | null {
  if (failure) return errorOf(url, failure);
  if (document === null) return new NetworkError(`${url} returned no document.`);
  if (/^(text\/html|application\/xhtml\+xml)$/.test(document.mimeType)) return null;
  return new UsageError(
    `${document.url} is ${document.mimeType || 'of no type'}, expected a page in HTML. Give the address of a page.`,
  );
}

function errorOf(url: string, { code, message }: Failure): ExitError {
  if (code === 'page-crashed') {
    return new MachineError(`${message} It may want more memory than this machine has: ${url}`);
  }
  if (code === 'timeout') {
    return new NetworkError(
      `${message} Allow more time with --timeout; a page that never fires one cannot be measured: ${url}`,
    );
  }
  const reason = /net::(ERR_\w+)/.exec(message)?.[1] ?? message;
  // Chromium breaks a navigation off that turns out to be no page.
  if (reason === 'ERR_ABORTED') {
    return new UsageError(
      `${url} is not a page: it is a download, or has no content. Give the address of a page.`,
    );
  }
  return new NetworkError(`${url} could not be loaded (${reason}). ${remedyOf(reason)}`);
}

function remedyOf(reason: string): string {
  if (reason.startsWith('ERR_CERT_') || reason.startsWith('ERR_SSL_')) {
    return 'Chromium does not accept its certificate or its TLS: the page has to be one that Chromium shows without a warning.';
  }
  if (reason === 'ERR_NAME_NOT_RESOLVED') {
    return 'Is the name right, and can this machine reach the internet?';
  }
  return 'Can this machine reach it? Try it in a browser, or with curl.';
}
