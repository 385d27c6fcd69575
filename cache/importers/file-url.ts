/** Whether a folder's name is certainly a host in wget's form: `www.example.org`, `127.0.0.1`, `localhost`, `intranet:8080`. */
export function isHostName(name: string): boolean {
  const host = withoutPort(name);
  if (cacheUrl(`https://${host}/`) === null) return false;
  if (/^\d+(\.\d+){3}$/.test(host)) return true;
  if (host === 'localhost' || (/:\d+$/.test(name) && isHostLabel(host))) return true;
  return /^([a-z0-9_]([a-z0-9_-]*[a-z0-9])?\.)+([a-z]|xn--)[a-z0-9-]*$/i.test(host);
}

/** Whether a folder's name may be a host without a dot, such as `localhost`. */
export function isHostLabel(name: string): boolean {
  return /^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?$/i.test(name) && cacheUrl(`https://${name}/`) !== null;
}

/** The host without the port that wget adds (`:8080`, or `+8080` on systems without colons in file names). */
export function withoutPort(host: string): string {
  return host.replace(/[:+]\d+$/, '');
}

/**
 * The URL whose response wget saves in this file: `index.html` stands for the folder itself, the first `?` begins the query,
 * `%2F` in the query was a slash. Everything else is as a browser would write it.
 */
export function urlOfFile(host: string, file: string): string {
  const mark = file.indexOf('?');
  const filePath = mark === -1 ? file : file.slice(0, mark);
  const query = mark === -1 ? '' : file.slice(mark).replaceAll(/%2f/gi, '/');
  const urlPath = filePath.replace(/(^|\/)index\.html$/, '$1');
  return new URL(`https://${withoutPort(host)}/${escaped(urlPath)}${escaped(query)}`).href;
}

/** Parts of at most 63 letters, digits, underscores and inner hyphens: names that certificates and resolvers take, and IPv4. */
const SERVED_HOST =
  /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const LONGEST_HOST = 253;

/**
 * A URL in the cache's form: https, without fragment and port; null: not a web address, or of a host that cannot be served.
 * @param base of a relative URL
 */
export function cacheUrl(recorded: string, base?: string): string | null {
  // Not `canParse`, which accepts very long hosts for which `new URL` throws (Node 24).
  const url = URL.parse(recorded, base);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.hostname.length > LONGEST_HOST || !SERVED_HOST.test(url.hostname)) return null;
  url.protocol = 'https:';
  url.port = '';
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
}

/** Percent-encodes characters of a file name that have a meaning in URLs. */
function escaped(text: string): string {
  return text
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replaceAll('#', '%23')
    .replaceAll('\\', '%5C');
}
