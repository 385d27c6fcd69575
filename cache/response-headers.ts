/** Headers of a response as a manifest has them: sent as they are, in this order; names in lower case. */
export type ResponseHeaders = [name: string, value: string][];

/** Headers of the connection or of the moment: servers write these themselves, the same in every stack. */
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

/** The first thing wrong with a manifest's headers, or null. */
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
