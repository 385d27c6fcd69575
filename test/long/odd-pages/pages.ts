import { createHash } from 'node:crypto';

/** A response of a page by the few fields that the table needs. */
export interface OddResource {
  /** Path on the page's host, or a URL. */
  at: string;
  /** Empty: no content type. */
  type: string;
  body?: string | Buffer;
  status?: number;
  headers?: readonly [name: string, value: string][];
  method?: 'POST';
  /** Why a load may not request it; absent: each load requests it. */
  unrequested?: string;
}

/** A page of a kind that once made loads invalid, failed or inexplicable, or might. */
export interface OddPage {
  name: string;
  /** Header fields of the document in addition to its content type. */
  headers?: OddResource['headers'];
  /** Message of the import; absent: it is imported, and all loads are ok. */
  refused?: RegExp;
  document: Omit<OddResource, 'at'>;
  resources: readonly OddResource[];
  host: string;
}

const HTML = 'text/html; charset=utf-8';
const JS = 'text/javascript';
const NO_STORE: OddResource['headers'] = [['cache-control', 'no-store']];
const CORS: OddResource['headers'] = [['access-control-allow-origin', '*']];
const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

const image = (at: string, more: Partial<OddResource> = {}): OddResource => ({
  at,
  type: 'image/gif',
  body: GIF,
  ...more,
});
const script = (at: string, body = '1', more: Partial<OddResource> = {}): OddResource => ({
  at,
  type: JS,
  body,
  ...more,
});
const html = (at: string, body = '<p>frame', more: Partial<OddResource> = {}): OddResource => ({
  at,
  type: HTML,
  body: `<!doctype html>${body}`,
  ...more,
});
const json = (at: string, more: Partial<OddResource> = {}): OddResource => ({
  at,
  type: 'application/json',
  body: '{"a":1}',
  ...more,
});
const images = (count: number) =>
  Array.from({ length: count }, (_, index) => image(`/${index}.gif`));
const tags = (resources: readonly OddResource[]) =>
  resources.map(({ at }) => `<img src="${at}">`).join('');
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

/** A page with a picture next to the oddity, so that something is always loaded. */
function page(
  name: string,
  body: string,
  resources: readonly OddResource[] = [],
  more: Partial<Pick<OddPage, 'headers' | 'refused' | 'host'>> & Partial<OddPage['document']> = {},
): OddPage {
  const { headers, refused, host = `${name}.example`, ...document } = more;
  return {
    name,
    host,
    ...(refused && { refused }),
    document: {
      type: HTML,
      body: `<!doctype html><title>t</title><link rel=icon href="data:,"><img src=/own.gif>${body}`,
      ...(headers && { headers }),
      ...document,
    },
    resources: [image('/own.gif'), ...resources],
  };
}

const STATUSES = [226, 299, 400, 404, 410, 418, 451, 500, 503, 511, 599];
const MANY = images(300);

export const ODD_PAGES: readonly OddPage[] = [
  page('beforeunload', '<script>onbeforeunload = (event) => event.preventDefault()</script>'),
  page('popup', '<script>open("/popup")</script>', [
    html('/popup', 'popup', { unrequested: 'Chromium blocks it' }),
  ]),
  page('print', '<script>onload = () => print()</script>'),
  page(
    'permissions',
    '<script>Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {})</script>',
  ),
  page('dialogs', '<script>alert(1); confirm(2); prompt(3)</script><img src=/after.gif>', [
    image('/after.gif'),
  ]),
  page(
    'aborted-fetch',
    '<script>const stop = new AbortController(); fetch("/a.json", stop).catch(() => {}); setTimeout(() => stop.abort())</script>',
    [json('/a.json', { unrequested: 'aborted' })],
  ),
  page(
    'aborted-image',
    '<script>const i = new Image(); i.src = "/a.gif"; i.src = "/b.gif"</script>',
    [image('/a.gif', { unrequested: 'aborted' }), image('/b.gif')],
  ),
  page(
    'unread-fetch',
    '<script>fetch("/a.json").then((a) => { document.title = a.status })</script>',
    [json('/a.json', { headers: NO_STORE })],
  ),
  page(
    'unread-large-fetch',
    '<script>fetch("/a.json").then((a) => { document.title = a.status })</script>',
    [json('/a.json', { headers: NO_STORE, body: `"${'a'.repeat(300_000)}"` })],
  ),
  page('beacon', '<script>onload = () => navigator.sendBeacon("/beacon", "a")</script>', [
    { at: '/beacon', type: '', status: 204, method: 'POST' },
  ]),
  page(
    'keepalive',
    '<script>fetch("/a", { method: "POST", body: "a", keepalive: true })</script>',
    [{ at: '/a', type: 'text/plain', body: 'ok', method: 'POST' }],
  ),
  page('service-worker', '<script>navigator.serviceWorker.register("/worker.js")</script>', [
    script('/worker.js', 'onfetch = () => {}', { unrequested: 'after the load' }),
  ]),
  page(
    'import-map',
    '<script type=importmap>{"imports":{"a":"/a.js"}}</script><script type=module>import "a"</script>',
    [script('/a.js', 'import "./b.js"'), script('/b.js')],
  ),
  page(
    'modulepreload',
    '<link rel=modulepreload href=/a.js><link rel=preload as=script href=/c.js><script type=module src=/a.js></script><script src=/c.js></script>',
    [script('/a.js', 'import("./b.js")'), script('/b.js'), script('/c.js')],
  ),
  page(
    'prefetch',
    '<link rel=prefetch href=/next><link rel=preconnect href=https://other.example>',
    [html('/next', 'next', { unrequested: 'of low priority' })],
  ),
  page('worker', '<script>new Worker("/a.js"); new Worker("/m.js", { type: "module" })</script>', [
    script('/a.js', 'importScripts("/b.js"); fetch("/a.json").then((a) => a.text())'),
    script('/b.js'),
    script('/m.js', 'import "/n.js"'),
    script('/n.js'),
    json('/a.json'),
  ]),
  page('shared-worker', '<script>new SharedWorker("/a.js").port.start()</script>', [
    script('/a.js', 'onconnect = ({ ports }) => ports[0].postMessage(1)'),
  ]),
  page(
    'document-write',
    '<script>document.write("<script src=/a.js><\\/script><img src=/a.gif>")</script>',
    [
      script('/a.js', 'document.write("<p>more<img src=/b.gif>")'),
      image('/a.gif'),
      image('/b.gif'),
    ],
  ),
  page('meta-refresh', '<meta http-equiv=refresh content="0;url=/next">', [
    html('/next', '<link rel=icon href="data:,">next<img src=/next.gif>'),
    image('/next.gif'),
  ]),
  page('refresh', '', [html('/next', '<link rel=icon href="data:,">next')], {
    headers: [['refresh', '0;url=/next']],
  }),
  page(
    'script-redirect',
    '<script>location.href = "/de/"</script><link rel=stylesheet href=/a.css><img src=/a.gif>',
    [
      html('/de/', '<link rel=icon href="data:,"><img src=/b.gif>next'),
      image('/a.gif', { unrequested: 'the page was left' }),
      image('/b.gif'),
      { at: '/a.css', type: 'text/css', body: 'p{}', unrequested: 'the page was left' },
    ],
  ),
  page(
    'frames',
    `<iframe srcdoc="<img src=/srcdoc.gif>"></iframe><iframe src="javascript:'a'"></iframe><iframe src=/a></iframe>
<iframe sandbox src=/b></iframe><script>const f = document.createElement("iframe"); f.src = URL.createObjectURL(new Blob(["<p>a"], { type: "text/html" })); document.body.append(f)</script>`,
    [image('/srcdoc.gif'), html('/a', '<iframe src=/c></iframe>'), html('/b'), html('/c')],
  ),
  page('frame-download', '<iframe src=/a.bin></iframe>', [
    {
      at: '/a.bin',
      type: 'application/octet-stream',
      body: 'abc',
      headers: [['content-disposition', 'attachment']],
    },
  ]),
  page(
    'lazy-images',
    '<img loading=lazy src=/near.gif><div style=height:20000px></div><img loading=lazy src=/far.gif>',
    [image('/near.gif'), image('/far.gif', { unrequested: 'out of sight' })],
  ),
  page(
    'integrity',
    `<script src=/a.js integrity="sha256-${sha256('1')}"></script><script src=/b.js integrity="sha256-${sha256('2')}"></script>`,
    [script('/a.js'), script('/b.js')],
  ),
  page(
    'sync-request',
    '<script>const x = new XMLHttpRequest(); x.open("GET", "/a.json", false); x.send()</script>',
    [json('/a.json')],
  ),
  page('multipart-image', '<img src=/stream>', [
    {
      at: '/stream',
      type: 'multipart/x-mixed-replace; boundary=b',
      body: Buffer.concat(
        [GIF, GIF].flatMap((part) => [
          Buffer.from('--b\r\ncontent-type: image/gif\r\n\r\n'),
          part,
          Buffer.from('\r\n'),
        ]),
      ),
    },
  ]),
  page('no-content', '<img src=/a><iframe src=/b></iframe><script>fetch("/c")</script>', [
    { at: '/a', type: '', status: 204 },
    { at: '/b', type: '', status: 204 },
    { at: '/c', type: '', status: 205 },
  ]),
  page(
    'isolation',
    '<img src=https://cdn.isolation.example/a.gif><script src=https://cdn.isolation.example/a.js crossorigin></script>',
    [
      image('https://cdn.isolation.example/a.gif', {
        headers: [['cross-origin-resource-policy', 'cross-origin']],
      }),
      script('https://cdn.isolation.example/a.js', '1', { headers: CORS }),
    ],
    {
      headers: [
        ['cross-origin-opener-policy', 'same-origin'],
        ['cross-origin-embedder-policy', 'require-corp'],
        ['content-security-policy', "default-src 'self' https://cdn.isolation.example data:"],
        ['permissions-policy', 'geolocation=()'],
      ],
    },
  ),
  page('clear-site-data', '<img src=/a.gif><img src=/b.gif>', [
    image('/a.gif', { headers: [['clear-site-data', '"cache", "cookies", "storage"']] }),
    image('/b.gif'),
  ]),
  page('critical-ch', '', [], {
    headers: [
      ['accept-ch', 'Sec-CH-UA-Full-Version-List'],
      ['critical-ch', 'Sec-CH-UA-Full-Version-List'],
    ],
  }),
  page('cookies', '<img src=/a.gif>', [image('/a.gif')], {
    headers: Array.from({ length: 120 }, (_, index) => [
      'set-cookie',
      `c${index}=${'v'.repeat(40)}; path=/`,
    ]),
  }),
  page('large-headers', '<img src=/a.gif>', [
    image('/a.gif', {
      headers: Array.from({ length: 20 }, (_, index) => [`x-large-${index}`, 'a'.repeat(10_000)]),
    }),
  ]),
  page('images', tags(MANY), MANY),
  page('redirects', '<img src=/0>', [
    ...Array.from(
      { length: 19 },
      (_, index): OddResource => ({
        at: `/${index}`,
        type: '',
        status: [301, 302, 303, 307, 308][index % 5] ?? 302,
        headers: [['location', `/${index + 1}`]],
      }),
    ),
    image('/19'),
  ]),
  page('large-document', `<p>${'words and '.repeat(500_000)}`),
  page('deep-document', '<div>'.repeat(3_000)),
  page('statuses', tags(STATUSES.map((status) => image(`/${status}.gif`))), [
    ...STATUSES.map((status) => image(`/${status}.gif`, { status })),
  ]),
  page(
    'upper-case',
    '<img src=https://CDN.Upper-Case.EXAMPLE/a.gif>',
    [image('https://CDN.Upper-Case.EXAMPLE/a.gif')],
    { host: 'UPPER-CASE.example' },
  ),
  page(
    'event-source',
    '<script>const e = new EventSource("/events"); e.onmessage = () => e.close()</script>',
    [{ at: '/events', type: 'text/event-stream', body: 'data: 1\n\n' }],
  ),
  page(
    'polling',
    '<script>let n = 0; const p = () => fetch("/a.json").then((a) => a.json()).then(() => n++ < 5 && setTimeout(p, 100)); p()</script>',
    [json('/a.json', { headers: NO_STORE })],
  ),
  page('long-url', `<img src="/a.gif?${'q'.repeat(8_000)}">`, [
    image(`/a.gif?${'q'.repeat(8_000)}`),
  ]),
  page(
    'challenges',
    '<img src=/a.gif><iframe src=/b></iframe><script>fetch("/c").catch(() => {})</script><img src=/proxy.gif>',
    [
      image('/a.gif', { status: 401, headers: [['www-authenticate', 'Basic realm="a"']] }),
      html('/b', '<p>401', { status: 401, headers: [['www-authenticate', 'Digest realm="b"']] }),
      json('/c', { status: 401, headers: [['www-authenticate', 'Negotiate']] }),
      image('/proxy.gif', {
        status: 407,
        headers: [['proxy-authenticate', 'Basic realm="p"']],
        unrequested: 'left out at import',
      }),
    ],
  ),
  page(
    'cross-origin',
    '<script>fetch("https://api.example/a", { headers: { "x-a": "1" } }).then((a) => a.text(), () => {})</script><style>@font-face{font-family:f;src:url(https://api.example/f.woff2)}p{font-family:f}</style><p>a',
    [
      json('https://api.example/a', { headers: CORS, unrequested: 'asked for permission first' }),
      { at: 'https://api.example/f.woff2', type: 'font/woff2', body: 'no font', headers: CORS },
    ],
  ),
  page('untyped', '<img src=/a><script src=/b></script><iframe src=/c></iframe>', [
    { at: '/a', type: '', body: GIF },
    { at: '/b', type: '', body: '1' },
    { at: '/c', type: '', body: '<!doctype html><p>frame' },
  ]),
  {
    name: 'xslt',
    host: 'xslt.example',
    document: {
      type: 'application/xml',
      body: '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/a.xsl"?><a/>',
    },
    resources: [
      {
        at: '/a.xsl',
        type: 'text/xsl',
        body: '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><head><link rel="icon" href="data:,"/></head><body><p>a</p></body></html></xsl:template></xsl:stylesheet>',
      },
    ],
  },
  page('error-document', '', [], { status: 503 }),
  page('attachment', '', [], {
    headers: [['content-disposition', 'attachment']],
    refused: /is an attachment, which Chromium downloads/,
  }),
  page('pdf', '', [], { type: 'application/pdf', refused: /is a PDF/ }),
  page('proxy-document', '', [], { status: 407, refused: /status 407 is a proxy's answer/ }),
  page('no-document', '', [], {
    status: 204,
    body: '',
    refused: /status 204, at which Chromium stays/,
  }),
];
