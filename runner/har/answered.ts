import type { HarEntry } from './har.ts';

/** Whether a request got its whole response. */
export function isAnswered({ response }: HarEntry): boolean {
  if (response.status === 0) return false;
  // Chromium calls a fetch() of a response that cannot have a body aborted: it does not wait for the end.
  return response._error === undefined || response.status === 204 || response.status === 304;
}
