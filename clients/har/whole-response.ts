import { isAborted } from './errors.ts';
import type { HarEntry } from './har.ts';

/** Whether a request received its complete response. */
export function hasWholeResponse({ response }: HarEntry): boolean {
  if (response.status === 0) return false;
  if (response._error === undefined) return true;
  // Chromium reports a fetch() of a response without a body as aborted: it does not wait for the end.
  if (response.status === 204 || response.status === 304) return true;
  // Likewise a script or style sheet with an error status; Firefox stops reading one from another origin.
  return response.status >= 400 && isAborted(response._error);
}
