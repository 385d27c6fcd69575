/** Host and port of a URL as in Chromium's --origin-to-force-quic-on: `www.example.org:443`. */
export function quicHostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 443}`;
}

/** The host for readers, without the default port 443. */
export function quicHostText(host: string): string {
  return host.replace(/:443$/, '');
}
