import { MachineError, NetworkError, UsageError } from '../../ground/system/errors.ts';
import type { ExitError } from '../../ground/system/exit-status.ts';
import type { Failure } from '../load-failure.ts';

interface LoadEnd {
  /** null: the load event fired. */
  failure: Failure | null;
  /** The document as the browser received it; null: no document. */
  document: { url: string; mimeType: string } | null;
}

/** Why a load cannot become a site, as an error for the user; null: it can. */
export function livePageError(url: string, { failure, document }: LoadEnd): ExitError | null {
  if (failure) return errorOf(url, failure);
  if (document === null) return new NetworkError(`${url} returned no document.`);
  if (/^(text\/html|application\/xhtml\+xml)$/.test(document.mimeType)) return null;
  return new UsageError(
    `${document.url} is ${document.mimeType || 'without a type'}, expected HTML. Give the address of a page.`,
  );
}

function errorOf(url: string, { code, message }: Failure): ExitError {
  if (code === 'page-crashed') {
    return new MachineError(`${message} This machine may have too little memory for it: ${url}`);
  }
  if (code === 'timeout') {
    return new NetworkError(
      `${message} Allow more time with --timeout; a page without a load event cannot be measured: ${url}`,
    );
  }
  const reason = /net::(ERR_\w+)/.exec(message)?.[1] ?? message;
  // Chromium aborts a navigation to a download or a response without content.
  if (reason === 'ERR_ABORTED') {
    return new UsageError(
      `${url} is not a page: it is a download, or has no content. Give the address of a page.`,
    );
  }
  return new NetworkError(`${url} could not be loaded (${reason}). ${remedyOf(reason)}`);
}

function remedyOf(reason: string): string {
  if (reason.startsWith('ERR_CERT_') || reason.startsWith('ERR_SSL_')) {
    return 'Chromium rejects its certificate or TLS. The page must load in Chromium without a warning.';
  }
  if (reason === 'ERR_HTTP_RESPONSE_CODE_FAILURE') {
    return 'It answered with an error status and without content: check the URL, or it needs a log-in.';
  }
  if (reason === 'ERR_NAME_NOT_RESOLVED') {
    return 'Is the name right, and can this machine reach the internet?';
  }
  return 'Can this machine reach it? Try it in a browser, or with curl.';
}
