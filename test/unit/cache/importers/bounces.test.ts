import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RecordedExchange, Recording } from '../../../../cache/recording.ts';
import { documentChainOf } from '../../../../cache/resource-answers.ts';
import { siteOfRecording } from '../../../../cache/site-of-recording.ts';
import { assertEach } from '../../assert-each.ts';
import { exampleExchange, exampleRecording } from '../example-recording.ts';

const PAGE = 'https://www.a.test/';

function to(
  from: string,
  location: string,
  cookies: string[] = [],
  about: Partial<Omit<RecordedExchange, 'body'>> = {},
): RecordedExchange {
  const setCookies = cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);
  const headers: [string, string][] = [['Location', location], ...setCookies];
  return exampleExchange(from, { status: 302, headers, ...about });
}

function document(about: Partial<Omit<RecordedExchange, 'body'>> = {}): RecordedExchange {
  return exampleExchange(about.url ?? PAGE, {
    headers: [['Content-Type', 'text/html']],
    body: '<link rel="icon" href="data:,"><p>page',
    where: 'the page',
    ...about,
  });
}

function siteOf(exchanges: RecordedExchange[], about: Partial<Recording> = {}) {
  const recordedAt = '2026-11-21T10:00:00.000Z';
  const recording = exampleRecording([], { exchanges, recordedAt, ...about });
  const { manifest, notes } = siteOfRecording(recording, { file: 'x' });
  const page = manifest.resources.find(({ url }) => url === PAGE);
  return { manifest, notes, page, cookies: page?.bounces?.map(({ cookie }) => cookie) };
}

/** Away to another host and back by an address that may set cookies. */
function signOn(cookies: string[], onTheWay: string[] = []): RecordedExchange[] {
  return [
    to(PAGE, 'https://sso.b.test/?to=a', [], { waitMs: 30 }),
    to('https://sso.b.test/?to=a', `${PAGE}signed-on`, onTheWay),
    to(`${PAGE}signed-on`, '/', cookies),
  ];
}

test('answers requests without the cookie by a redirect away that comes back with it', () => {
  const { manifest, page, notes } = siteOf([
    ...signOn(['session=1; Path=/; HttpOnly']),
    document({ waitMs: 12 }),
  ]);
  assert.equal(manifest.url, PAGE);
  assert.equal(page?.status, 200);
  assert.deepEqual(page.bounces, [
    {
      cookie: 'session',
      status: 302,
      headers: [['location', 'https://sso.b.test/?to=a']],
      waitMs: 18,
    },
  ]);
  assertEach(manifest.resources, ({ url, type }) => [url, type], [
    ['https://sso.b.test/?to=a', 'document'],
    [`${PAGE}signed-on`, 'document'],
    [PAGE, 'document'],
  ]);
  assert.deepEqual(manifest.requests, { recorded: 3, answered: 3 });
  assert.deepEqual(documentChainOf(manifest), manifest.resources);
  assert.deepEqual(notes, []);
});

test('accepts a redirect that sets the cookie itself, and leads to its own address', () => {
  assert.deepEqual(
    siteOf([
      to(PAGE, '/check', ['seen=1']),
      to(`${PAGE}check`, '/', [], { status: 303 }),
      document(),
    ]).cookies,
    ['seen'],
  );
  assert.deepEqual(siteOf([to(PAGE, '/', ['seen=1']), document()]).cookies, ['seen']);
  assert.deepEqual(
    siteOf([to(PAGE, PAGE, ['seen=1']), document({ status: 404 })]).page?.bounces?.length,
    1,
  );
});

test('accepts a page that redirects lead to, and that leads to another one', () => {
  const { manifest, cookies } = siteOf(
    [
      to('http://a.test/', PAGE),
      ...signOn(['session=1; Path=/']),
      document(),
      exampleExchange('https://www.a.test/x.js'),
    ],
    { documentUrl: 'http://a.test/' },
  );
  assert.equal(manifest.url, 'https://a.test/');
  assert.deepEqual(cookies, ['session']);
  assert.deepEqual(
    documentChainOf(manifest).map(({ url }) => url),
    ['https://a.test/', 'https://sso.b.test/?to=a', `${PAGE}signed-on`, PAGE],
  );
});

test('keeps several redirects before the page in their order, each with its cookie', () => {
  const { cookies, page } = siteOf([
    to(PAGE, '/check', ['seen=1']),
    to(`${PAGE}check`, '/', [], { status: 303 }),
    ...signOn(['session=1; Path=/']),
    document(),
  ]);
  assert.deepEqual(cookies, ['seen', 'session']);
  assert.deepEqual(
    page?.bounces?.map(({ headers }) => headers[0]?.[1]),
    ['/check', 'https://sso.b.test/?to=a'],
  );
});

test('takes a cookie that the first request lacked and the later carried, if headers were recorded', () => {
  const cookies = ['a=1; Path=/', 'b=1; Path=/', 'c=1; Path=/'];
  const [away, ...back] = signOn(cookies) as [RecordedExchange, ...RecordedExchange[]];
  const requestedWith = (cookie: string): Partial<RecordedExchange> => ({
    requestHeaders: [
      ['Accept', '*/*'],
      ['Cookie', cookie],
    ],
  });
  const found = (first: string, later: string) =>
    siteOf([
      { ...away, ...requestedWith(first) },
      ...back,
      document(requestedWith(later) as object),
    ]).cookies;
  assert.deepEqual(found('old=1', 'old=1; a=1; b=1; c=1'), ['c']);
  assert.deepEqual(found('c=1', 'a=1; b=1; c=1'), ['b']);
  assert.deepEqual(found('', 'a=1'), ['a']);
  assert.equal(found('a=1; b=1; c=1', 'a=1; b=1; c=1'), undefined);
  assert.equal(found('', 'old=1'), undefined);
});

test('drops a body of the redirect with a note, with its coding', () => {
  const { page, notes } = siteOf([
    exampleExchange(PAGE, {
      status: 302,
      headers: [
        ['Location', '/'],
        ['Set-Cookie', 'seen=1'],
        ['Content-Encoding', 'gzip'],
        ['Content-Length', '5'],
        ['x-a', 'a\nb'],
      ],
      body: 'moved',
      where: 'entry 1',
    }),
    document(),
  ]);
  assert.deepEqual(page?.bounces?.[0]?.headers, [
    ['location', '/'],
    ['set-cookie', 'seen=1'],
  ]);
  assert.deepEqual(notes, [
    'entry 1: header dropped whose value is not printable ASCII: x-a',
    'entry 1: body dropped: browsers ignore the body of a redirect',
  ]);
});

describe('a cookie that browsers would not return decides nothing:', () => {
  const hosts = `Domain=${'www.a.test'.slice(4)}`;
  const refused = {
    'of another host': ['session=1; Domain=other.test; Path=/'],
    'of a part of the site': ['session=1; Path=/signed-on'],
    'that has expired': ['session=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    'that lasts no time': ['session=1; Path=/; Max-Age=0'],
    'that is deleted': ['session=1; Path=/', 'session=; Path=/; Max-Age=-1'],
    'with a date that servers do not shift': [
      'session=1; Path=/; Expires=Sat, 21-Nov-37 10:00:00 GMT',
    ],
    'for other sites, without encryption': ['session=1; Path=/; SameSite=None'],
    'whose name prefix contradicts its attributes': [`__Host-session=1; Secure; Path=/; ${hosts}`],
    'that is too large': [`session=${'x'.repeat(4096)}; Path=/`],
    'without a name': ['session; Path=/'],
    'whose name servers parse differently': ['se"ssion=1; Path=/'],
  };
  for (const [which, cookies] of Object.entries(refused)) {
    test(which, () => {
      const { page, notes } = siteOf([...signOn(cookies), document()]);
      assert.equal(page?.status, 200);
      assert.equal(page.bounces, undefined);
      assert.deepEqual(notes, [
        `entry ${PAGE}: skipped, a later answer to the same URL is kept: the page`,
      ]);
    });
  }

  test('but one that they would return does', () => {
    for (const attributes of [
      '',
      '; Max-Age=5',
      `; ${hosts}`,
      '; SameSite=None; Secure',
      '; SameSite=Strict',
      '; Expires=Sat, 21 Nov 2037 10:00:00 GMT',
      '; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60',
    ]) {
      const { cookies } = siteOf([...signOn([`session=1; Path=/${attributes}`]), document()]);
      assert.deepEqual(cookies, ['session'], attributes);
    }
  });

  test('one with a date, without a known time of the recording', () => {
    const dated = signOn(['session=1; Path=/; Expires=Sat, 21 Nov 2037 10:00:00 GMT']);
    assert.equal(siteOf([...dated, document()], { recordedAt: null }).cookies, undefined);
  });

  test('one that the visitor has before', () => {
    const first = to('https://a.test/', PAGE, ['session=0; Domain=a.test']);
    const exchanges = [first, ...signOn(['session=1; Domain=a.test; Path=/']), document()];
    const { manifest } = siteOf(exchanges, { documentUrl: 'https://a.test/' });
    assert.ok(manifest.resources.every(({ bounces }) => bounces === undefined));
  });
});

describe('only the page is kept without a replayable way back:', () => {
  const session = 'session=1; Path=/';
  const [away, sso, back] = signOn([session]) as [
    RecordedExchange,
    RecordedExchange,
    RecordedExchange,
  ];
  const cacheable = { ...away, status: 301 };
  const withHeader = (name: string, value: string) => ({
    ...away,
    headers: [...away.headers, [name, value]] as RecordedExchange['headers'],
  });
  const cases: Record<string, RecordedExchange[]> = {
    'a step was not recorded': [away, back, document()],
    'a step has no body': [away, { ...sso, body: null }, back, document()],
    'it leads elsewhere': [away, exampleExchange(sso.url), back, document()],
    'the redirect came after the page': [document(), away, sso, back],
    'a browser would keep the redirect': [cacheable, sso, back, document()],
    'a browser would keep it for a while': [
      withHeader('Cache-Control', 'private, max-age=60'),
      sso,
      back,
      document(),
    ],
    'a browser would keep it to a date': [
      withHeader('Expires', 'Sat, 21 Nov 2037 10:00:00 GMT'),
      sso,
      back,
      document(),
    ],
  };
  for (const [which, exchanges] of Object.entries(cases)) {
    test(which, () => {
      const { page } = siteOf(exchanges);
      assert.equal(page?.status, 200);
      assert.equal(page.bounces, undefined);
    });
  }

  test('it has more redirects than browsers follow', () => {
    const redirects = (steps: number) => [
      to(PAGE, '/0', [session]),
      ...Array.from({ length: steps }, (_, step) => to(`${PAGE}${step}`, `/${step + 1}`)),
      to(`${PAGE}${steps}`, '/'),
      document(),
    ];
    assert.deepEqual(siteOf(redirects(18)).cookies, ['session']);
    assert.equal(siteOf(redirects(19)).cookies, undefined);
  });

  test('but a redirect that must not be kept may be of any status', () => {
    const unkept = { ...withHeader('Cache-Control', 'no-cache'), status: 301 };
    assert.deepEqual(siteOf([unkept, sso, back, document()]).cookies, ['session']);
  });
});

test('accepts any host name, and finds nothing for two hosts', () => {
  for (const host of ['localhost', 'intranet', 'local', 'test', 'com', '127.0.0.1']) {
    const url = `https://${host}/`;
    const page = document({ url });
    const { manifest } = siteOf([to(url, '/', ['seen=1']), page], { documentUrl: url });
    const expected = ['local', 'test'].includes(host) ? undefined : ['seen'];
    assert.deepEqual(
      manifest.resources[0]?.bounces?.map(({ cookie }) => cookie),
      expected,
      host,
    );
  }
});

test('gives the final response to what is not a navigation', () => {
  const frame = 'https://frame.b.test/';
  const { manifest } = siteOf([
    document(),
    to(frame, '/', ['seen=1']),
    exampleExchange(frame, { type: 'document' }),
  ]);
  assert.equal(manifest.resources.find(({ url }) => url === frame)?.bounces, undefined);
});
