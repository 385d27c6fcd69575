/** Headers of a manifest: sent unchanged, in this order; names in lower case. */
export type ResponseHeaders = [name: string, value: string][];

/** Headers of the connection or the current time, which all servers add in the same way. */
export const SERVER_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'proxy-connection',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'alt-svc',
]);

/** The first problem of a manifest's headers, or null. */
export function problemOfHeaders(headers: unknown): string | null {
  if (!Array.isArray(headers)) return 'headers is missing';
  for (const header of headers) {
    const [name, value] = Array.isArray(header) ? header : [];
    if (typeof name !== 'string' || typeof value !== 'string')
      return 'a header is not a pair of strings';
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return `header name ${name} is not lower case`;
    if (/[^\t\x20-\x7e]/.test(value))
      return `header ${name} has a value that is not printable ASCII`;
    if (SERVER_HEADERS.has(name))
      return `header ${name} belongs to the server, not to the manifest`;
  }
  return null;
}

/** A redirect that was recorded before the answer, and is sent without a body until a request has its cookie. */
export interface Bounce {
  cookie: string;
  status: number;
  headers: ResponseHeaders;
  /** Server time, in ms. Absent: unknown. */
  waitMs?: number;
}

/** The first problem of a manifest's bounce, or null. */
export function problemOfBounce(bounce: Partial<Bounce> | null): string | null {
  const { cookie = '', status = 0, headers, waitMs = 0 } = bounce ?? {};
  if (!isCookieName(cookie)) return `cookie is ${cookie}`;
  if (!isRedirect(status)) return `status is ${status}, expected a redirect`;
  const problem = problemOfHeaders(headers);
  if (problem) return problem;
  const names = headers?.map(([name]) => name) ?? [];
  if (!names.includes('location')) return 'header location is missing';
  if (names.includes('content-encoding')) return 'header content-encoding without a body';
  return Number.isFinite(waitMs) && waitMs >= 0 ? null : `waitMs is ${waitMs}`;
}

/** Whether all servers can parse a cookie of this name (a token of RFC 6265, section 4.1.1). */
export function isCookieName(name: unknown): boolean {
  return typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/** Whether a browser follows the location of such a response. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
