import { problemOfHeaders, type ResponseHeaders } from './response-headers.ts';

/** A redirect that was recorded before the answer itself, and is sent, without a body, until a request carries a cookie. */
export interface Bounce {
  /** The cookie's name; it is set on the way to which the redirect leads, or by the redirect. */
  cookie: string;
  status: number;
  headers: ResponseHeaders;
  /** What the server took until it answered, in ms. Absent: not known. */
  waitMs?: number;
}

/** The first thing wrong with a bounce of a manifest, or null. */
export function problemOfBounce(bounce: Partial<Bounce> | null): string | null {
  const { cookie = '', status = 0, headers, waitMs = 0 } = bounce ?? {};
  if (!isCookieName(cookie)) return `cookie is ${cookie}`;
  if (!isRedirect(status)) return `status is ${status}, expected one of a redirect`;
  const problem = problemOfHeaders(headers);
  if (problem) return problem;
  const names = headers?.map(([name]) => name) ?? [];
  if (!names.includes('location')) return 'header location is missing';
  if (names.includes('content-encoding')) return 'header content-encoding without a body';
  return Number.isFinite(waitMs) && waitMs >= 0 ? null : `waitMs is ${waitMs}`;
}

/** Whether a cookie can be told by this name in every server alike (a token of RFC 6265, section 4.1.1). */
export function isCookieName(name: unknown): boolean {
  return typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/** Whether a browser goes on to another address, where the response names one. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
