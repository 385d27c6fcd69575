import { readFileSync } from 'node:fs';
import path from 'node:path';
import jpeg from 'jpeg-js';
import type { Protocol } from '../../../../../ground/records/protocol.ts';
import { projectFolder } from '../../../../../ground/system/folders.mjs';
import { withServers } from '../../../../../runner/servers.ts';
import { STACKS } from '../../../../../servers/index.ts';
import { type FixtureResource, writeFixtureSite } from '../../../../../test/e2e/site-fixture.ts';
import { type Internet, withInternet } from '../../../../../test/internet/internet.ts';
import { ensureLeaves } from '../../../../../test/leaves.ts';
import { withTemporaryFolder } from '../../../../../test/temporary-folder.ts';

/** Its page has scripts, styles and images; it announces HTTP/3 by Alt-Svc. */
export const SHOP = 'www.shop.test';
/** Fonts and their styles; in addition, an HTTPS record announces HTTP/3. */
export const FONTS = 'fonts.cdn.test';
/** A script, a beacon and a pixel, by HTTP/2 alone. */
export const STATS = 'stats.third.test';

export const HERO = `https://${SHOP}/hero.jpg`;

interface Shop {
  internet: Internet;
  /** Certificate of the authority that signed those of its hosts. */
  authority: string;
}

/** An internet with a shop, served by the project's own servers. */
export function withShop(use: (shop: Shop) => Promise<void>): Promise<void> {
  const host = { kind: 'refuses', families: [4] } as const;
  const hosts = {
    [SHOP]: host,
    [FONTS]: { ...host, httpsRecord: ['h3', 'h2'] },
    [STATS]: host,
  };
  return withTemporaryFolder((folder) =>
    withInternet({ hosts }, async (internet) => {
      const siteFolder = path.join(folder, 'site');
      const logsFolder = folder;
      await writeFixtureSite(siteFolder, RESOURCES);
      const certsFolder = path.join(folder, 'certs');
      await ensureLeaves(Object.keys(hosts), certsFolder);
      const where = { site: SHOP, siteFolder, certsFolder, logsFolder, enter: internet.enterHosts };
      const serve = (protocol: Protocol, names: string[], next: () => Promise<void>) => {
        const stack = STACKS.find((each) => each.protocol === protocol);
        if (!stack) throw new Error(`no stack of ${protocol}`);
        const addresses = Object.fromEntries(
          names.map((name) => [name, internet.addressesOf(name)[0] ?? '']),
        );
        const apart = new Map([[stack, { addresses }]]);
        return withServers({ ...where, stacks: [stack], addresses, apart }, next);
      };
      const authority = path.join(certsFolder, 'CA.pem');
      await serve('h2+h3', [SHOP, FONTS], () =>
        serve('h2', [STATS], () => use({ internet, authority })),
      );
    }),
  );
}

/** Blocks of random colours, which compress as badly as a photograph. */
function photo(width: number, height: number): Buffer {
  const data = Buffer.alloc(width * height * 4);
  let random = width;
  for (let at = 0; at < data.length; at += 4) {
    if (at % 48 === 0) random = (random * 1103515245 + 12345) % 2 ** 31;
    data.writeUInt32LE(random, at);
  }
  return jpeg.encode({ data, width, height }, 40).data;
}

const packaged = (...at: string[]) => readFileSync(path.join(projectFolder, 'node_modules', ...at));

function file(
  url: string,
  type: NonNullable<FixtureResource['type']>,
  contentType: string,
  body: string | Uint8Array,
): FixtureResource {
  return {
    url,
    type,
    headers: [
      ['content-type', contentType],
      ['access-control-allow-origin', '*'],
    ],
    body,
    gzip: !/^(image|font)/.test(contentType),
  };
}

const own = (name: string) => `https://${SHOP}/${name}`;
const JQUERY_UI = 'jquery-ui-dist';
const SHOWER = path.join('@shower', 'ribbon', 'fonts');
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

const PRODUCTS = Array.from({ length: 26 }, (_, index) => `products/${index + 1}.jpg`);

const FONT_FACES = ['pt-sans-italic', 'pt-mono-regular']
  .map(
    (name) => `@font-face { font-family: ${name}; font-display: swap; src: url(/${name}.woff2); }`,
  )
  .join('\n');

const PAGE = `<!doctype html><html lang="en"><title>Tea</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="https://${FONTS}/fonts.css">
<link rel="stylesheet" href="/jquery-ui.css"><link rel="stylesheet" href="/shop.css">
<script async src="https://${STATS}/stats.js"></script>
<h1>Tea</h1><img id="hero" src="/hero.jpg" width="1200" height="400" fetchpriority="high">
<p>Green, black and <code>white</code></p><div id="menu"><ul><li><a href="#tea">Tea</a></li></ul></div>
<div id="products">${PRODUCTS.slice(0, 13)
  .map((name) => `<img src="/${name}" width="160" height="160">`)
  .join('')}</div>
<script src="/jquery.js"></script><script src="/jquery-ui.js"></script><script src="/shop.js"></script>`;

const SCRIPT = `fetch('/products.json').then((response) => response.json()).then((names) => {
  for (const name of names) $('#products').append($('<img width="160" height="160">').attr('src', name));
});
$('#menu').tabs();`;

const STATISTICS = `new Image().src = 'https://${STATS}/pixel.gif?r=' + Math.random();
navigator.sendBeacon('https://${STATS}/seen', 'page');`;

const RESOURCES: FixtureResource[] = [
  file(own(''), 'document', 'text/html', PAGE),
  file(
    own('shop.css'),
    'stylesheet',
    'text/css',
    'p { font-family: pt-sans-italic } code { font-family: pt-mono-regular }',
  ),
  file(own('jquery-ui.css'), 'stylesheet', 'text/css', packaged(JQUERY_UI, 'jquery-ui.min.css')),
  file(
    own('jquery.js'),
    'script',
    'text/javascript',
    packaged(JQUERY_UI, 'external', 'jquery', 'jquery.js'),
  ),
  file(own('jquery-ui.js'), 'script', 'text/javascript', packaged(JQUERY_UI, 'jquery-ui.min.js')),
  file(own('shop.js'), 'script', 'text/javascript', SCRIPT),
  file(own('products.json'), 'xhr', 'application/json', JSON.stringify(PRODUCTS.slice(13))),
  file(HERO, 'image', 'image/jpeg', photo(1200, 400)),
  ...['444444', 'ffffff']
    .map((colour) => `images/ui-icons_${colour}_256x240.png`)
    .map((name) => file(own(name), 'image', 'image/png', packaged(JQUERY_UI, name))),
  ...PRODUCTS.map((name, index) => file(own(name), 'image', 'image/jpeg', photo(160 + index, 160))),
  file(`https://${FONTS}/fonts.css`, 'stylesheet', 'text/css', FONT_FACES),
  ...['pt-sans-italic', 'pt-mono-regular'].map((name) =>
    file(`https://${FONTS}/${name}.woff2`, 'font', 'font/woff2', packaged(SHOWER, `${name}.woff2`)),
  ),
  file(`https://${STATS}/stats.js`, 'script', 'text/javascript', STATISTICS),
  { url: `https://${STATS}/seen`, method: 'POST', status: 204 },
  file(`https://${STATS}/pixel.gif?r=0.5`, 'image', 'image/gif', PIXEL),
];
