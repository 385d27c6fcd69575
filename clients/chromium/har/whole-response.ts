import type { HarEntry } from './har.ts';

/** Whether a request got its whole response. */
export function hasWholeResponse({ response }: HarEntry): boolean {
  if (response.status === 0) return false;
  if (response._error === undefined) return true;
  // Chromium calls a fetch() of a response that cannot have a body aborted: it does not wait for the end.
  if (response.status === 204 || response.status === 304) return true;
  // Nor does it for a script or style sheet that the server says it cannot give.
  return response.status >= 400 && response._error === 'net::ERR_ABORTED';
}
