import path from 'node:path';
import { keyExchangeOf, USUAL_KEY_EXCHANGE } from '../../ground/records/key-exchange.ts';
import type { PageVia } from '../../ground/records/via.ts';
import { projectFolder } from '../../ground/system/project-folder.ts';
import { shellLine } from '../../ground/system/shell-word.ts';
import type { SiteByHand } from './site.ts';
import { versionsOf } from './versions.ts';

const CURL_OPTIONS: Readonly<Record<PageVia, string>> = {
  h3: '--http3-only',
  h2: '--http2',
  'h1.1': '--http1.1',
};

/** What commands need to know of a server to ask it for the site's page. */
export type Reached = Pick<SiteByHand, 'server' | 'authorityFile'> & {
  /** What to put before a command so that it runs at the client's end. */
  enter: readonly string[];
  page: Pick<SiteByHand['manifest']['resources'][number], 'url' | 'contentEncoding'>;
};

/** curl for the site's page, once for every version of HTTP that the server speaks. */
export function curlLines({ server, authorityFile, enter, page }: Reached): string[] {
  const { url, contentEncoding } = page;
  const { hostname, port, host } = new URL(url);
  const origin = server.origins[host] ?? '';
  // A certificate of somebody else's is known by its key alone.
  const trust =
    authorityFile === null
      ? ['--insecure', '--pinnedpubkey', server.spkiPins.map((pin) => `sha256//${pin}`).join(';')]
      : ['--cacert', authorityFile];
  return versionsOf(server.stack.protocol).map((version) =>
    shellLine([
      ...enter,
      'curl',
      CURL_OPTIONS[version],
      ...(contentEncoding === null ? [] : ['--compressed']),
      ...trust,
      '--connect-to',
      `${hostname}:${port || '443'}:${origin}`,
      url,
    ]),
  );
}

/** `npm run get` for the same, but without set-up, which has no network there. */
export function getLines({ server, authorityFile, enter, page: { url } }: Reached): string[] {
  const program = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
  const keyExchange = keyExchangeOf(server);
  return versionsOf(server.stack.protocol).map((version) =>
    shellLine([
      ...enter,
      process.execPath,
      program,
      'get',
      url,
      '--via',
      version,
      ...(keyExchange === USUAL_KEY_EXCHANGE ? [] : ['--key-exchange', keyExchange]),
      '--resolve',
      server.origins[new URL(url).host] ?? '',
      '--trust',
      authorityFile ?? 'none',
    ]),
  );
}
