import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { spkiPin } from '../../../../../certs/authority.ts';
import { ensureCertificates } from '../../../../../certs/certificates.ts';
import { projectFolder } from '../../../../../ground/system/folders.mjs';

/**
 * A substitute for the live web: servers of this test on loopback addresses, and their responses so
 * far.
 */
export interface LiveSite {
  /** Flags that map its hosts in Chromium. */
  flags: string[];
  /** Where each host listens. */
  addresses: Record<string, { host: string; port: number }>;
  /**
   * Every response, by request (`GET https://host/path`): status and hex SHA-256 of the body as
   * sent.
   */
  sent: Map<string, { status: number; sha256: string }>;
}

/** One response; the body is decoded. */
export interface LiveAnswer {
  status?: number;
  headers?: Record<string, string | string[]>;
  coding?: keyof typeof CODINGS;
  body?: string | Uint8Array;
  /** Never ends. */
  endless?: boolean;
  /** The response to requests without any cookie. */
  first?: LiveAnswer;
}

/** A host: its protocol, and its responses by method and path. */
export interface LiveHost {
  protocol: 'h2' | 'http/1.1';
  answers: Record<string, LiveAnswer>;
}

const CODINGS = {
  gzip: gzipSync,
  // The best quality takes seconds for a large page.
  br: (decoded: Uint8Array) =>
    brotliCompressSync(decoded, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: zstdCompressSync,
};

/** Starts these hosts, passes them on, and always stops them. */
export async function withLiveSite<T>(
  hosts: Record<string, LiveHost>,
  folder: string,
  use: (site: LiveSite) => Promise<T>,
): Promise<T> {
  const names = Object.keys(hosts);
  const certs = await ensureCertificates(names, { chain: 'small', origins: 'own' }, folder);
  const sent: LiveSite['sent'] = new Map();
  // Before anything waits for it.
  for (const { answers } of Object.values(hosts)) {
    for (const { body = '', coding } of Object.values(answers)) encoded(body, coding);
  }
  const servers: (Server & { closeAllConnections?: () => void })[] = [];
  const sessions = new Set<http2.ServerHttp2Session>();
  const addresses: LiveSite['addresses'] = {};
  try {
    for (const [index, name] of names.entries()) {
      const host = hosts[name] as LiveHost;
      const tls = {
        cert: readFileSync(path.join(certs, `${name}.pem`)),
        key: readFileSync(path.join(certs, `${name}.key`)),
      };
      const server =
        host.protocol === 'h2'
          ? http2
              .createSecureServer(tls, (request, response) =>
                answer(name, host, sent, request, response),
              )
              .on('session', (session) => sessions.add(session))
          : https.createServer(tls, (request, response) =>
              answer(name, host, sent, request, response),
            );
      servers.push(server);
      const address = `127.0.9.${index + 1}`;
      await new Promise<void>((resolve) => server.listen(0, address, resolve));
      addresses[name] = { host: address, port: (server.address() as AddressInfo).port };
    }
    const rules = Object.entries(addresses).map(
      ([name, { host, port }]) => `MAP ${name}:443 ${host}:${port}`,
    );
    const pins = await Promise.all(names.map((name) => spkiPin(name, certs)));
    return await use({
      flags: [
        `--host-resolver-rules=${[...rules, 'MAP * ~NOTFOUND'].join(', ')}`,
        `--ignore-certificate-errors-spki-list=${pins.join(',')}`,
        '--no-proxy-server',
      ],
      addresses,
      sent,
    });
  } finally {
    for (const session of sessions) session.destroy();
    for (const server of servers) {
      server.closeAllConnections?.();
      server.close();
    }
  }
}

type Message = Pick<IncomingMessage, 'headers'> & {
  method?: string | undefined;
  url?: string | undefined;
};
type Reply = ServerResponse | http2.Http2ServerResponse;

function answer(
  name: string,
  host: LiveHost,
  sent: LiveSite['sent'],
  { method, url, headers: fields }: Message,
  reply: Reply,
): void {
  // A query may contain a random number.
  const found =
    host.answers[`${method} ${url}`] ?? host.answers[`${method} ${url?.split('?')[0]}?*`];
  const {
    status = 200,
    headers = {},
    coding,
    body = '',
    endless,
  }: LiveAnswer = (fields.cookie ? found : (found?.first ?? found)) ?? {
    status: 404,
    headers: { 'content-type': 'text/plain' },
    body: 'not here',
  };
  const bytes = encoded(body, coding);
  for (const [header, value] of Object.entries(headers)) reply.setHeader(header, value);
  if (coding) reply.setHeader('content-encoding', coding);
  reply.statusCode = status;
  // Two kinds of replies with the same write method, which the compiler cannot know.
  const write = (chunk: Uint8Array) => (reply as ServerResponse).write(chunk);
  if (endless) {
    write(bytes);
    return;
  }
  sent.set(`${method} https://${name}${url}`, {
    status,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  // In two pieces, so that HTTP/1.1 has to send it in chunks.
  write(bytes.subarray(0, bytes.length >> 1));
  reply.end(bytes.subarray(bytes.length >> 1));
}

/** Each body is encoded once, and gives the same bytes each time. */
function encoded(body: string | Uint8Array, coding: LiveAnswer['coding']): Buffer {
  const decoded = Buffer.from(body as string);
  if (coding === undefined) return decoded;
  const key = createHash('sha256').update(decoded).update(coding).digest('hex');
  const bytes = encodedBodies.get(key) ?? CODINGS[coding](decoded);
  encodedBodies.set(key, bytes);
  return bytes;
}

const encodedBodies = new Map<string, Buffer>();

const JQUERY_UI = path.join(projectFolder, 'node_modules', 'jquery-ui-dist');
const ICONS = path.join(projectFolder, 'node_modules', '@mdi', 'font');

/**
 * The example page of jQuery UI (a page, its stylesheet, its pictures and 30,000 lines of script)
 * as a site of three owners: scripts by a redirect from another host, and in a frame of a third one
 * the preview of Material Design Icons with its font. In addition, typical requests of pages: by
 * XMLHttpRequest and POST, to random and time-dependent addresses, after the load event, and on
 * scrolling.
 */
export function livePages(): Record<string, LiveHost> {
  const page = readFileSync(path.join(JQUERY_UI, 'index.html'), 'utf8')
    .replace('external/jquery/jquery.js', 'https://cdn.assets.test/latest.js')
    .replace('</body>', `${EXTRA}</body>`);
  return {
    'www.live.test': {
      protocol: 'h2',
      answers: {
        'GET /': {
          headers: { 'content-type': 'text/html; charset=utf-8', 'set-cookie': ['a=1', 'b=2'] },
          coding: 'br',
          body: page,
        },
        'GET /jquery-ui.css': textOf(JQUERY_UI, 'jquery-ui.css', 'text/css', 'gzip'),
        'GET /jquery-ui.js': textOf(JQUERY_UI, 'jquery-ui.js', 'text/javascript', 'br'),
        ...picturesOf(JQUERY_UI),
        'GET /items.json': {
          headers: { 'content-type': 'application/json' },
          coding: 'zstd',
          body: JSON.stringify({ items: Array.from({ length: 500 }, (_, index) => index) }),
        },
        'POST /seen': { status: 204 },
        'POST /search': { headers: { 'content-type': 'text/plain' }, body: 'found' },
        'GET /favicon.ico': { headers: { 'content-type': 'image/gif' }, body: PIXEL },
      },
    },
    'cdn.assets.test': {
      protocol: 'http/1.1',
      answers: {
        'GET /latest.js': { status: 302, headers: { location: '/jquery.js' } },
        'GET /jquery.js': textOf(JQUERY_UI, 'external/jquery/jquery.js', 'text/javascript', 'gzip'),
        'GET /pixel.gif?*': { headers: { 'content-type': 'image/gif' }, body: PIXEL },
        'GET /late.gif': { headers: { 'content-type': 'image/gif' }, body: PIXEL },
        'GET /lazy.gif': { headers: { 'content-type': 'image/gif' }, body: PIXEL },
      },
    },
    'frames.other.test': {
      protocol: 'h2',
      answers: {
        'GET /preview.html': textOf(ICONS, 'preview.html', 'text/html', 'gzip'),
        'GET /css/materialdesignicons.min.css': textOf(
          ICONS,
          'css/materialdesignicons.min.css',
          'text/css',
          'br',
        ),
        'GET /fonts/materialdesignicons-webfont.woff2?*': {
          headers: { 'content-type': 'font/woff2' },
          body: readFileSync(path.join(ICONS, 'fonts', 'materialdesignicons-webfont.woff2')),
        },
      },
    },
  };
}

const EXTRA = `<iframe src="https://frames.other.test/preview.html" width="800" height="400"></iframe>
<script>
const ask = new XMLHttpRequest();
ask.open('GET', '/items.json');
ask.send();
fetch('/search', { method: 'POST', body: 'q=' + Math.random() });
new Image().src = 'https://cdn.assets.test/pixel.gif?r=' + Math.random() + '&t=' + Date.now();
new Image().src = '/missing.gif';
addEventListener('load', () => {
  navigator.sendBeacon('/seen', 'x');
  setTimeout(() => { new Image().src = 'https://cdn.assets.test/late.gif'; }, 600);
});
</script>
<div style="height: 8000px"></div>
<img loading="lazy" width="10" height="10" src="https://cdn.assets.test/lazy.gif">
`;

export const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

function textOf(
  folder: string,
  file: string,
  contentType: string,
  coding: keyof typeof CODINGS,
): LiveAnswer {
  return {
    headers: { 'content-type': `${contentType}; charset=utf-8` },
    coding,
    body: readFileSync(path.join(folder, file)),
  };
}

function picturesOf(folder: string): Record<string, LiveAnswer> {
  const colours = ['444444', '555555', '777620', '777777', 'cc0000', 'ffffff'];
  return Object.fromEntries(
    colours.map((colour) => [
      `GET /images/ui-icons_${colour}_256x240.png`,
      {
        headers: { 'content-type': 'image/png' },
        body: readFileSync(path.join(folder, 'images', `ui-icons_${colour}_256x240.png`)),
      },
    ]),
  );
}
