// Why requests have no complete response, as HAR entries say: in the words of Chromium, of Firefox, or of this project.

/** A response whose end the browser did not report. */
export const INCOMPLETE = 'not complete when the capture ended';

export const UNANSWERED = 'no response when the capture ended';

/** Whether the page or the browser gave the request up. */
export function isAborted(error: string | undefined): boolean {
  return ABORTED.test(error ?? '');
}

const ABORTED = /^(net::ERR_ABORTED|NS_ERROR_ABORT|NS_BINDING_ABORTED)$/;

/** Whether the browser withholds the response from a page of another origin, because it has no header that permits access. */
export function isWithheld(error: string | undefined): boolean {
  return WITHHELD.test(error ?? '');
}

const WITHHELD = /ERR_BLOCKED_BY_ORB|\(.*AllowOrigin|\(CORS(MISSINGALLOWORIGIN|DIDNOTSUCCEED)/;

/** Whether a name, a server or the path caused the error, not the page or a rule of the browser. */
export function isBroken(error: string | undefined): boolean {
  return BROKEN.test(error ?? '') && !isAborted(error);
}

const BROKEN =
  /^(net::ERR_(?!BLOCKED_BY_)|NS_ERROR_(?!DOM_|CORRUPTED_)|(SSL|SEC|MOZILLA_PKIX)_ERROR_)\w+$/;
