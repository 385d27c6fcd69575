import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import path from 'node:path';
import { test } from 'node:test';
import { siteFolder } from '../../../../cache/catalogue.ts';
import { manifestFile, readManifest } from '../../../../cache/manifest.ts';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { DESKTOP, PHONE } from '../../../../ground/records/device.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { ExitError, UsageError } from '../../../../ground/system/exit-status.ts';
import type { Summary } from '../../../../report/summary/summary.ts';
import { checkCommand } from '../../../../runner/command.ts';
import { readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { optionsOf } from '../../../../runner/options.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { documentState } from '../../document.ts';
import { lineOfPages } from '../../page-run.ts';
import { type LiveAnswer, type LiveSite, withLiveSite } from './record/live-site.ts';

const HOST = 'www.shop.test';
const URL_OF_PAGE = `https://${HOST}/`;
const HTML = { 'content-type': 'text/html' };

interface Shop {
  /** Can be changed. */
  page: LiveAnswer;
  live: LiveSite;
  folderOf: (site: string) => string;
  authority: string;
  agent: https.Agent;
  /** Of all command lines. */
  printed: string[];
  /** Reads a command line. */
  lineOf: (...words: string[]) => ReturnType<typeof lineOfPages>;
}

/** Connects to the servers of a live site, whose names are unknown to this machine. */
class LiveAgent extends https.Agent {
  readonly live: LiveSite;
  constructor(live: LiveSite) {
    super();
    this.live = live;
  }
  override createConnection(
    options: https.RequestOptions,
    ...rest: [callback?: Parameters<https.Agent['createConnection']>[1]]
  ) {
    const at = this.live.addresses[options.host ?? ''] ?? {};
    return super.createConnection({ ...options, ...at }, ...rest);
  }
}

/** A host with a page that can be changed, and with further pages. */
function withShop(
  use: (shop: Shop) => Promise<unknown>,
  pages: Record<string, LiveAnswer> = {},
  folderOfSite: ((site: string) => string) | null = null,
): Promise<void> {
  const page: LiveAnswer = { headers: HTML, coding: 'gzip', body: '<title>Shop</title><p>Tea' };
  const further = Object.entries(pages).map(([at, answer]) => [
    `GET ${at}`,
    { headers: HTML, ...answer },
  ]);
  const hosts = {
    [HOST]: {
      protocol: 'http/1.1' as const,
      answers: { 'GET /': page, ...Object.fromEntries(further) },
    },
    'shop.test': { protocol: 'http/1.1' as const, answers: { 'GET /': movedTo(URL_OF_PAGE) } },
  };
  return withTemporaryFolder((folder) => {
    const certs = path.join(folder, 'certs');
    return withLiveSite(hosts, certs, async (live) => {
      const folderOf = folderOfSite ?? ((site) => path.join(folder, 'sites', site));
      const printed: string[] = [];
      // Without pins, certificates count as those of any live page.
      const moreFlags = live.flags.filter((flag) => !flag.startsWith('--ignore-certificate'));
      const authority = path.join(certs, 'CA.pem');
      const agent = new LiveAgent(live);
      const lineOf = (...words: string[]) => {
        const trust = words.includes('--trust') ? [] : ['--trust', authority];
        const line = readCommandLine(['benchmark', ...words, ...trust]);
        assert.ok(line);
        return lineOfPages(line, (checked) => checkCommand(checked, pageLoad, async () => []), {
          folderOf,
          moreFlags,
          agent,
          httpsRecords: async () => [],
          print: (text) => printed.push(text),
        });
      };
      await use({ page, live, folderOf, authority, agent, printed, lineOf });
    });
  });
}

function movedTo(location: string): LiveAnswer {
  return { status: 301, headers: { location } };
}

test('a URL is recorded once, and its run has the networks and transports of visitors', () =>
  withShop(async ({ folderOf, printed, lineOf }) => {
    const { given, operands } = await lineOf(URL_OF_PAGE, '--network', 'fiber');
    const { kind, recordedAt } = await readManifest(folderOf(HOST));
    assert.equal(kind, 'recorded');
    const { subjects, networks, stacks, choices } = optionsOf({ given, operands }, pageLoad, {});
    assert.deepEqual(subjects, [HOST]);
    assert.deepEqual(
      networks.map(({ name }) => name),
      ['fiber'],
    );
    assert.deepEqual(
      stacks.map(({ protocol }) => protocol),
      ['h3', 'h2'],
    );
    assert.deepEqual([choices.receiveBufferBytes, choices.initialWindowSegments], [null, null]);
    assert.equal(given.hosts, 'own');
    assert.match(printed.join('\n'), /www\.shop\.test does not use HTTP\/3\. .*\(--hosts own\)/);

    const again = await lineOf(URL_OF_PAGE);
    assert.equal(again.given.network, 'cable,lte,dsl');
    assert.match(printed.join('\n'), /shop\.test\/ is unchanged since \d{4}-\d\d-\d\d: its record/);
    const mixed = await lineOf(URL_OF_PAGE, '--mix', 'dsl=60,cable=40');
    assert.equal(mixed.given.network, undefined);
    assert.equal((await readManifest(folderOf(HOST))).recordedAt, recordedAt);
    await lineOf(URL_OF_PAGE, '--fresh');
    assert.notEqual((await readManifest(folderOf(HOST))).recordedAt, recordedAt);
  }));

test('a phone has its own recording, and a recording of another window is not used', () =>
  withShop(async ({ folderOf, printed, lineOf }) => {
    await lineOf(URL_OF_PAGE);
    const desktop = await readManifest(folderOf(HOST));
    const siteOf = async () => (await lineOf(URL_OF_PAGE, '--mobile')).given.sites;
    assert.equal(await siteOf(), `${HOST}-mobile`);
    const phone = await readManifest(folderOf(`${HOST}-mobile`));
    assert.deepEqual(phone.device, PHONE);
    assert.deepEqual(await readManifest(folderOf(HOST)), desktop);
    await siteOf();
    assert.deepEqual(await readManifest(folderOf(`${HOST}-mobile`)), phone);

    const narrow = { ...DESKTOP, widthPx: 800 };
    await writeFile(manifestFile(folderOf(HOST)), JSON.stringify({ ...desktop, device: narrow }));
    await lineOf(URL_OF_PAGE);
    assert.equal((await readManifest(folderOf(HOST))).device, undefined);
    assert.match(printed.join('\n'), /was recorded on a desktop of 800x768 .*, not on .* 1366x768/);
  }));

test('wrong options are refused before the page is loaded', () =>
  withShop(async ({ live, printed, lineOf, authority }) => {
    const refused: [words: string[], reason: RegExp][] = [
      [['--mix', 'lte=60,cable=30,dsl=5'], /sum to 95 %, expected 100 %/],
      [['--network', 'lan'], /Unknown network lan/],
      [['--stacks', 'nginx-h3'], /Unknown stack nginx-h3/],
      [['--out', path.dirname(authority)], /exists and is not empty/],
      [['--sites', 'www.example.org'], /--sites and the URL of a page do not go together/],
      [['--trust', `${authority}.none`], /cannot be read: no such file/],
    ];
    for (const [words, reason] of refused) {
      await assert.rejects(
        lineOf(URL_OF_PAGE, ...words),
        (error: Error) => error instanceof UsageError && reason.test(error.message),
        words.join(' '),
      );
    }
    for (const words of [['--fresh'], ['--trust', authority], ['--live', URL_OF_PAGE, '--fresh']]) {
      const line = readCommandLine(['benchmark', ...words]);
      assert.throws(() => optionsOf(line ?? { given: {} }, pageLoad, {}), /no page is recorded/);
    }
    assert.deepEqual([printed, live.sent.size], [[], 0]);
  }));

test('error pages are recorded, and not measured, and a page that never loads is neither', () =>
  withShop(
    async ({ lineOf }) => {
      const reasons = {
        moved:
          /\/gone answered with status 404, so nothing was measured: check the URL\. .*-moved$/,
        private: /\/private answered with status 401, .*: it needs a log-in, or refuses this/,
        'loading --timeout 3': /fired no load event within 3 s\. Allow more time with --timeout/,
        empty: /\(ERR_HTTP_RESPONSE_CODE_FAILURE\)\. It answered with an error status/,
        closed: /\/closed answered with status 403, .*: it needs a log-in, or refuses this/,
      };
      await Promise.all(
        Object.entries(reasons).map(([at, reason]) =>
          assert.rejects(lineOf(...`${URL_OF_PAGE}${at}`.split(' ')), (error: Error) => {
            assert.ok(error instanceof ExitError, error.message);
            assert.match(error.message, reason);
            return true;
          }),
        ),
      );
    },
    {
      '/moved': movedTo('/gone'),
      '/gone': { status: 404, body: 'gone' },
      '/private': {
        status: 401,
        headers: { ...HTML, 'www-authenticate': 'Basic realm="own"' },
        body: 'private',
      },
      '/empty': { status: 500 },
      '/loading': { body: 'Text<img src="/endless.gif">' },
      '/endless.gif': { endless: true },
      '/closed': { status: 403, body: 'closed' },
    },
  ));

test('a page behind a redirect is recorded once, under the name of its URL', () =>
  withShop(
    async ({ page, folderOf, printed, lineOf }) => {
      const urls = { 'shop.test': 'https://shop.test/', [`${HOST}-old`]: `${URL_OF_PAGE}old` };
      const eachLine = () =>
        Promise.all(
          Object.entries(urls).map(async ([name, url]) => {
            const { given } = await lineOf(url);
            assert.equal(given.sites, name);
          }),
        );
      await eachLine();
      for (const [name, url] of Object.entries(urls)) {
        const { resources, ...manifest } = await readManifest(folderOf(name));
        assert.equal(manifest.url, url);
        const documents = resources.filter(({ type }) => type === 'document');
        assert.deepEqual(
          documents.map((each) => [each.url, each.status]),
          [
            [url, 301],
            [URL_OF_PAGE, 200],
          ],
        );
      }
      printed.length = 0;
      await eachLine();
      assert.equal(printed.filter((line) => /is unchanged since/.test(line)).length, 2);
      for (const url of Object.values(urls)) {
        assert.ok(printed.some((line) => line.startsWith(`${url} redirects to ${URL_OF_PAGE}. `)));
      }
      assert.ok(!printed.some((line) => /^Loading/.test(line)), printed.join('\n'));
      page.body = '<title>Shop</title><p>Coffee';
      printed.length = 0;
      await lineOf('https://shop.test');
      assert.match(printed[0] ?? '', /^https:\/\/shop\.test\/ has changed since it was recorded/);
    },
    { '/old': movedTo('/') },
  ));

const POLLING =
  "<title>Live</title><p>Prices<script>setInterval(() => fetch('/price'), 500)</script>";
const STREAMING =
  "<title>Live</title><p>Prices<script>fetch('/stream').then((all) => all.text())</script>";

test('a page that never goes quiet is recorded for a limited time, says so, and can be measured', () =>
  withShop(
    async ({ printed, lineOf }) => {
      const lines = await Promise.all(['poll', 'watch'].map((at) => lineOf(`${URL_OF_PAGE}${at}`)));
      assert.deepEqual(
        lines.map(({ given }) => given.sites),
        [`${HOST}-poll`, `${HOST}-watch`],
      );
      const output = printed.join('\n');
      assert.equal(output.match(/the page was not quiet 10 s after its load/g)?.length, 2, output);
    },
    {
      '/poll': { body: POLLING },
      '/price': { body: '5' },
      '/watch': { body: STREAMING },
      '/stream': { body: '5', endless: true },
    },
  ));

const CHANGING = `<title>Offers</title><p>Some text<script>
for (const name of ['offer', 'price']) fetch('/' + name + '-' + performance.timeOrigin);
</script>`;

test('a page without paint is decided by its load time, and a page that changes by what was recorded', () =>
  withShop(
    async ({ lineOf }) => {
      const names = ['blank', 'changing'];
      const sites = names.map((name) => `${HOST}-${name}`);
      try {
        const { words } = await lineOf(
          ...names.map((name) => `${URL_OF_PAGE}${name}`),
          ...'--network 30ms --repetitions 2 --film 1 --seed 1'.split(' '),
        );
        await withRun<PageLoad>(`benchmark ${words.join(' ')}`, ({ out, output, observations }) => {
          const counted = observations.filter(({ warmup }) => !warmup);
          assert.equal(counted.length, 8);
          for (const { subject, metrics, details, filmed } of observations) {
            const isBlank = subject === sites[0];
            assert.equal(metrics.largestContentfulPaintMs === null, isBlank);
            assert.ok(Number(metrics.pageLoadMs) > 0);
            if (filmed) assert.equal(metrics.speedIndexMs === null, isBlank);
            assert.equal(details?.replay?.unknown.length, isBlank ? 0 : 2);
          }
          assert.match(
            output,
            /-changing from lsquic-h3: 2 of \d requests got 404, because the record/,
          );
          const summary: Summary = JSON.parse(readFileSync(runFolder(out).summaryJson, 'utf8'));
          for (const { subject, metrics } of summary.rows) {
            assert.equal(metrics.pageLoadMs?.n, 2);
            assert.equal(metrics.firstContentfulPaintMs?.n, subject === sites[0] ? 0 : 2);
          }
          const report = readFileSync(runFolder(out).report, 'utf8');
          for (const text of [
            'No first contentful paint in 2 of 4 loads of lsquic (h3)',
            '(the page painted nothing)',
            'the page painted nothing, so there is no film strip',
            `In 4 of 4 loads of ${sites[1]}, requests differed from the recording.`,
          ]) {
            assert.ok(`${output.replaceAll(/\s+/g, ' ')}${report}`.includes(text), text);
          }
        });
      } finally {
        for (const site of sites) await rm(siteFolder(site), { recursive: true, force: true });
      }
    },
    { '/blank': {}, '/changing': { body: CHANGING } },
    siteFolder,
  ));

test('a document is the same as its recording, has changed, or cannot be reached', () =>
  withShop(async ({ page, folderOf, authority, agent, lineOf }) => {
    await lineOf(URL_OF_PAGE);
    const folder = folderOf(HOST);
    const manifest = await readManifest(folder);
    const state = (from = URL_OF_PAGE, trust: string | undefined = authority) =>
      documentState(from, { manifest, folder }, { agent, ...(trust && { trust }) });
    assert.equal(await state(), 'same');
    assert.equal(await state('https://unknown.shop.test/'), 'unreachable');
    assert.equal(await state(URL_OF_PAGE, ''), 'unreachable', 'an unknown authority');
    assert.equal(await state(`${URL_OF_PAGE}gone`), 'changed');
    page.body = '<title>Shop</title><p>Coffee';
    assert.equal(await state(), 'changed');
  }));
