/** The host and port of a URL as Chromium's command line names those that QUIC is forced on: `www.example.org:443`. */
export function quicHostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 443}`;
}

/** The same as people write it: the port of HTTPS goes without saying. */
export function quicHostText(host: string): string {
  return host.replace(/:443$/, '');
}
