import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { hostsOf, readManifest } from '../../../../cache/manifest.ts';
import { withDevice } from '../../../../experiments/page-load/device.ts';
import { siteToLoad } from '../../../../experiments/subjects.ts';
import { valuesOf } from '../../../../ground/options/values.ts';
import { DESKTOP, PHONE } from '../../../../ground/records/device.ts';
import { EXIT, ExitError } from '../../../../ground/system/exit-status.ts';
import { readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { readMachine } from '../../../../runner/machine.ts';
import { readOptions } from '../../../../runner/options.ts';
import { loadOverPath, withPathBench } from '../../../../test/e2e/path-bench.ts';
import { writeFixtureSite } from '../../../../test/e2e/site-fixture.ts';
import { TESTED_STACKS } from '../../../../test/e2e/tested-stacks.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { type RecordDependencies, type RecordedPage, recordCommand } from '../../command.ts';
import { compareLoads } from '../../comparison.ts';
import { RECORD_OPTIONS } from '../../options.ts';
import { replay } from '../../replay.ts';
import { record } from '../../tool.ts';
import {
  type LiveAnswer,
  type LiveHost,
  type LiveSite,
  livePages,
  PIXEL,
  withLiveSite,
} from './record/live-site.ts';

const URL_OF_PAGE = 'https://www.live.test/';

interface Made {
  live: LiveSite;
  sites: string;
  recorded: RecordedPage;
  printed: string;
}

/** Runs `npm run record` with these words. */
async function recordWith(
  words: string[],
  dependencies: Partial<RecordDependencies>,
): Promise<RecordedPage> {
  const line = readCommandLine(['record', ...words], { record });
  assert.ok(line);
  const { given, operands } = line;
  return recordCommand(operands[0] ?? '', valuesOf(RECORD_OPTIONS, given), dependencies);
}

/** Records a page of these hosts with the command itself, into a cache of the test's own. */
function recording(
  hosts: Record<string, LiveHost>,
  args: string[],
  use: (made: Made) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder((folder) =>
    withLiveSite(hosts, path.join(folder, 'certs'), async (live) => {
      const sites = path.join(folder, 'sites');
      const lines: string[] = [];
      const recorded = await recordWith(args, {
        folderOf: (site) => path.join(sites, site),
        print: (line) => lines.push(line),
        moreFlags: live.flags,
        httpsRecords: async () => [],
      });
      await use({ live, sites, recorded, printed: lines.join('\n') });
    }),
  );
}

/**
 * A measured load requests everything that was recorded, including random and time-dependent
 * addresses.
 */
async function assertMeasurable({ recorded: { manifest, folder } }: Made): Promise<void> {
  await withPathBench({ folder, manifest }, async (bench) => {
    const [server] = bench.servers;
    assert.ok(server);
    const { pageLoad, har } = await loadOverPath(bench, server);
    assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
    const requests = har.log.entries.map(({ request }) => `${request.method} ${request.url}`);
    const kept = manifest.resources.map(({ method, url }) => `${method} ${url}`);
    // A measured load may not wait for what comes some time after the load event.
    const late = /\/(favicon\.ico|late\.gif|seen)$/;
    assert.deepEqual(
      new Set(requests.filter((request) => !late.test(request))),
      new Set(kept.filter((request) => !late.test(request))),
    );
  });
}

test('records a page of three hosts byte for byte, and replays it by every stack', () =>
  recording(livePages(), [URL_OF_PAGE, '--wait', '10'], async (made) => {
    const { live, recorded, printed } = made;
    const { folder } = recorded;
    const manifest = await readManifest(folder);
    assert.equal(manifest.kind, 'recorded');
    assert.equal(manifest.url, URL_OF_PAGE);

    // Exactly the bytes that the servers have sent, from their own records.
    const nothing = createHash('sha256').digest('hex');
    const kept = manifest.resources.map(({ method, url, status, sha256 }) => [
      `${method} ${url}`,
      { status, sha256: sha256 ?? nothing },
    ]);
    assert.deepEqual(Object.fromEntries(kept), Object.fromEntries(live.sent));
    assert.ok(kept.length >= 18, `${kept.length} resources`);
    const codings = new Set(manifest.resources.map(({ contentEncoding }) => contentEncoding));
    assert.deepEqual(codings, new Set(['br', 'gzip', 'zstd', null]));
    const types = Map.groupBy(manifest.resources, ({ type }) => type);
    assert.deepEqual(
      types.get('document')?.map(({ url }) => url),
      [URL_OF_PAGE],
    );
    assert.deepEqual(
      types.get('iframe')?.map(({ url }) => url),
      ['https://frames.other.test/preview.html'],
    );
    assert.equal(types.get('font')?.length, 1);
    const document = manifest.resources.find(({ url }) => url === URL_OF_PAGE);
    assert.deepEqual(
      document?.headers.filter(([name]) => name === 'set-cookie'),
      [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    );

    assert.deepEqual(Object.keys(manifest.http3 ?? {}), hostsOf(manifest));
    for (const { refusal } of Object.values(manifest.http3 ?? {})) assert.match(refusal ?? '', /./);
    assert.match(printed, /^HTTP\/3 is spoken by 0 of 3 hosts\. Not by www\.live\.test \(/m);
    assert.match(printed, /^Benchmark it: npm run benchmark -- https:\/\/www\.live\.test\/$/m);
    assert.match(
      printed,
      /Replayed by Bun \(h2\): (\d+) of \1 recorded requests .* without any difference/,
    );
    for (const stack of TESTED_STACKS) {
      const replayed = await replay({
        machine: readMachine(),
        stack,
        manifest,
        siteFolder: folder,
        device: DESKTOP,
        scroll: false,
        timeoutS: 30,
        waitS: 10,
      });
      const compared = compareLoads(recorded.live.exchanges, replayed.exchanges, manifest);
      assert.deepEqual(compared.missing, [], stack.label);
      assert.deepEqual(compared.new, [], stack.label);
      assert.deepEqual(compared.otherAnswers, [], stack.label);
      assert.equal(compared.same, live.sent.size, stack.label);
    }
    await assertMeasurable(made);
  }));

const HTML = { 'content-type': 'text/html' };
const GIF = { 'content-type': 'image/gif' };

function page(body: string): string {
  return `<!doctype html><link rel="icon" href="data:,"><title>live</title><p>Some text.</p>${body}`;
}

/**
 * Requests an address with properties of the device. A frame of another host has a separate
 * process, which may begin before its size is set.
 */
const DEVICE_PROBE = `<script>const tell = () => innerWidth === 0 ? setTimeout(tell, 10) : fetch('/seen-by-' + [
  /Android.* Mobile /.test(navigator.userAgent), navigator.userAgentData?.mobile,
  innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints,
].join('-'));
tell();</script>`;

const NARROW = '<meta name="viewport" content="width=device-width">';

test('shows a phone to every host with --mobile, and loads late resources with --scroll', async () => {
  const late = '<div style="height: 9000px"></div><img loading="lazy" src="/late.gif">';
  const hosts: Record<string, LiveHost> = {
    'www.live.test': {
      protocol: 'h2',
      answers: {
        'GET /': {
          headers: HTML,
          body: page(
            `${NARROW}${DEVICE_PROBE}<iframe src="https://frame.other.test/"></iframe>${late}`,
          ),
        },
        'GET /late.gif': { headers: GIF, body: PIXEL },
      },
    },
    'frame.other.test': {
      protocol: 'h2',
      answers: { 'GET /': { headers: HTML, body: page(DEVICE_PROBE) } },
    },
  };
  await recording(hosts, [URL_OF_PAGE, '--mobile', '--scroll'], async ({ live, recorded }) => {
    const sent = [...live.sent.keys()].map((request) => request.replace('GET https://', ''));
    assert.ok(sent.includes('www.live.test/late.gif'), sent.join('\n'));
    assert.ok(sent.includes('www.live.test/seen-by-true-true-412-915-2.625-5'), sent.join('\n'));
    const inFrame = /^frame\.other\.test\/seen-by-true-true-300-150-2\.625-/;
    assert.ok(
      sent.some((request) => inFrame.test(request)),
      sent.join('\n'),
    );
    assert.match(recorded.manifest.source, /on a phone of 412x915 CSS pixels, scrolled to its end/);
  });
});

/** Loads a recorded page as a run with these options does, from the first two stacks. */
async function measureRecorded(words: string[], { manifest, folder }: RecordedPage) {
  const { choices } = withDevice({
    choices: readOptions(words).choices,
    subjects: [await siteToLoad(manifest.site, folder)],
  });
  return withPathBench(
    { folder, manifest },
    async (bench) => {
      const [first, second] = bench.servers;
      assert.ok(first && second);
      return [await loadOverPath(bench, first), await loadOverPath(bench, second)];
    },
    { choices },
  );
}

test('a page recorded on a phone is measured on one, and a desktop lacks responses', async () => {
  const image =
    '<img src="/laptop.gif" srcset="/phone.gif 1082w, /laptop.gif 1366w" sizes="100vw">';
  const query = `<script>fetch(matchMedia('(max-width: 600px)').matches ? '/narrow' : '/wide')</script>`;
  const frame = '<iframe src="https://frame.other.test/"></iframe>';
  const gif = { headers: GIF, body: PIXEL };
  const plain = { headers: { 'content-type': 'text/plain' }, body: 'text' };
  const hosts: Record<string, LiveHost> = {
    'www.live.test': {
      protocol: 'h2',
      answers: {
        'GET /': {
          headers: HTML,
          body: page(`${NARROW}${image}${query}${DEVICE_PROBE}${frame}`),
        },
        'GET /phone.gif': gif,
        'GET /laptop.gif': gif,
        'GET /narrow': plain,
        'GET /wide': plain,
      },
    },
    'frame.other.test': {
      protocol: 'h2',
      answers: { 'GET /': { headers: HTML, body: page(DEVICE_PROBE) } },
    },
  };
  await recording(hosts, [URL_OF_PAGE, '--mobile'], async ({ recorded, printed }) => {
    assert.match(
      printed,
      /^Benchmark it: npm run benchmark -- https:\/\/www\.live\.test\/ --mobile$/m,
    );
    assert.deepEqual(recorded.manifest.device, PHONE);
    for (const words of [[], ['--isolation', 'process']]) {
      for (const { pageLoad, har, warnings } of await measureRecorded(words, recorded)) {
        assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
        assert.deepEqual(pageLoad.details?.replay?.unknown, []);
        assert.deepEqual(warnings, []);
        const paths = har.log.entries.map(({ request }) => new URL(request.url).pathname);
        for (const expected of ['/phone.gif', '/narrow', '/seen-by-true-true-412-915-2.625-5']) {
          assert.ok(paths.includes(expected), paths.join('\n'));
        }
        for (const { request } of har.log.entries) {
          const agent = request.headers.find(({ name }) => name.toLowerCase() === 'user-agent');
          assert.match(agent?.value ?? '', /Android.* Mobile /, request.url);
        }
      }
    }
    for (const { pageLoad, har, warnings } of await measureRecorded(['--desktop'], recorded)) {
      assert.equal(pageLoad.outcome, 'ok', pageLoad.message ?? '');
      const unknown = pageLoad.details?.replay?.unknown ?? [];
      for (const expected of ['laptop.gif', 'wide']) {
        assert.ok(unknown.includes(`GET ${URL_OF_PAGE}${expected}`), unknown.join('\n'));
      }
      const statuses = har.log.entries.filter(({ response }) => response.status === 404);
      assert.equal(statuses.length, unknown.length);
      const [warning = '', ...further] = warnings;
      assert.deepEqual(further, []);
      assert.match(
        warning,
        new RegExp(`${unknown.length} of \\d+ requests got 404, because the recording lacks them`),
      );
    }
  });
});

test('names what cannot be kept or replayed', async () => {
  const body = page(`<script>
new WebSocket('wss://www.live.test/socket');
fetch('https://api.other.test/asked', { headers: { 'x-own': '1' } }).catch(() => {});
fetch('/endless').then((response) => response.text());
fetch('https://nowhere.test/').catch(() => {});
new Image().src = '/clock.gif?' + performance.timeOrigin;
</script>`);
  const hosts: Record<string, LiveHost> = {
    'www.live.test': {
      protocol: 'h2',
      answers: {
        'GET /': { headers: HTML, coding: 'gzip', body },
        'GET /endless': { headers: { 'content-type': 'text/plain' }, body: 'more', endless: true },
        'GET /clock.gif?*': { headers: GIF, body: PIXEL },
      },
    },
    'api.other.test': {
      protocol: 'http/1.1',
      answers: {
        'OPTIONS /asked': {
          status: 204,
          headers: {
            'access-control-allow-origin': '*',
            'access-control-allow-headers': 'x-own',
          },
        },
        'GET /asked': { headers: { 'access-control-allow-origin': '*' }, body: 'asked' },
      },
    },
  };
  await recording(hosts, [URL_OF_PAGE, '--wait', '8'], async ({ recorded, printed }) => {
    assert.match(
      printed,
      /note: the page was not quiet 8 s after its load, .* \(1 request had not ended\); see --wait/,
    );
    assert.match(
      printed,
      /note: https:\/\/www\.live\.test\/endless: skipped, .*: 4 bytes received/,
    );
    assert.match(printed, /note: wss:\/\/www\.live\.test\/socket: a WebSocket/);
    assert.match(printed, /note: OPTIONS https:\/\/api\.other\.test\/asked: skipped/);
    assert.match(printed, /note: https:\/\/nowhere\.test\/: skipped, it had no response/);
    assert.match(printed, /only in the live load: GET https:\/\/www\.live\.test\/clock\.gif/);
    assert.match(
      printed,
      /only in the replay, not recorded: GET https:\/\/www\.live\.test\/clock\.gif/,
    );
    const kept = recorded.manifest.resources.map(({ url }) => new URL(url).pathname);
    assert.deepEqual(kept.toSorted(), ['/', '/asked', '/clock.gif']);
  });
});

test('records a page with its sign-on redirects, and replays them', async () => {
  const to = (location: string, cookies: string[] = []): LiveAnswer => ({
    status: 302,
    headers: { location, 'set-cookie': cookies },
  });
  const hosts: Record<string, LiveHost> = {
    'www.live.test': {
      protocol: 'h2',
      answers: {
        'GET /': {
          headers: HTML,
          body: page('signed on'),
          first: to('https://sso.other.test/?to=live'),
        },
        'GET /signed-on': to('/', ['visitor=1; Path=/', 'session=1; Path=/; HttpOnly']),
      },
    },
    'sso.other.test': {
      protocol: 'http/1.1',
      answers: { 'GET /?to=live': to('https://www.live.test/signed-on') },
    },
  };
  await recording(hosts, [URL_OF_PAGE], async ({ recorded, printed }) => {
    const { resources, url } = recorded.manifest;
    assert.equal(url, URL_OF_PAGE);
    assert.deepEqual(
      resources.map((each) => [each.url, each.status, each.bounces?.map(({ cookie }) => cookie)]),
      [
        ['https://sso.other.test/?to=live', 302, undefined],
        [`${URL_OF_PAGE}signed-on`, 302, undefined],
        [URL_OF_PAGE, 200, ['session']],
      ],
    );
    assert.doesNotMatch(printed, /a later answer to the same URL/);
    assert.match(printed, /: 3 of 3 recorded requests .* without any difference/);
  });
});

test('records requests behind a service worker that answers', async () => {
  const worker = `
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => event.respondWith(new Response('made up')));`;
  const body = page(`<script>
navigator.serviceWorker.addEventListener('controllerchange', () => fetch('/after.txt'));
navigator.serviceWorker.register('/worker.js');
</script>`);
  const hosts: Record<string, LiveHost> = {
    'www.live.test': {
      protocol: 'h2',
      answers: {
        'GET /': { headers: HTML, body },
        'GET /worker.js': { headers: { 'content-type': 'text/javascript' }, body: worker },
        'GET /after.txt': { headers: { 'content-type': 'text/plain' }, body: 'true' },
      },
    },
  };
  await recording(hosts, [URL_OF_PAGE], async ({ recorded }) => {
    const kept = recorded.manifest.resources.map(({ url }) => new URL(url).pathname);
    const pageItself = kept.filter((urlPath) => urlPath !== '/worker.js');
    assert.deepEqual(pageItself.toSorted(), ['/', '/after.txt']);
  });
});

describe('the cache stays unchanged by a page that cannot be recorded:', () => {
  const hosts: Record<string, LiveHost> = {
    'www.live.test': {
      protocol: 'h2',
      answers: {
        'GET /data.json': { headers: { 'content-type': 'application/json' }, body: '{}' },
        'GET /file': { headers: { 'content-type': 'application/octet-stream' }, body: 'bytes' },
        'GET /waits': { headers: HTML, body: page('<img src="/endless">') },
        'GET /endless': { headers: GIF, endless: true },
      },
    },
  };

  async function failure(args: string[], { trusted = true, taken = false } = {}) {
    return withTemporaryFolder((folder) =>
      withLiveSite(hosts, path.join(folder, 'certs'), async ({ flags }) => {
        const site = path.join(folder, 'sites', 'www.live.test');
        if (taken) {
          await mkdir(path.dirname(site), { recursive: true });
          await writeFixtureSite(site, [{ url: URL_OF_PAGE, type: 'document', headers: [] }]);
        }
        const moreFlags = trusted ? flags : flags.filter((flag) => !flag.includes('-spki-list'));
        const dependencies = {
          folderOf: () => site,
          print: () => {},
          moreFlags,
          httpsRecords: async () => [],
        };
        const error = await recordWith(args, dependencies).then(
          () => assert.fail('it was recorded'),
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof ExitError, String(error));
        assert.equal(existsSync(site), taken);
        return { message: error.message, exitStatus: error.exitStatus };
      }),
    );
  }

  test('its host does not exist', async () => {
    const { message, exitStatus } = await failure(['https://nowhere.test/']);
    assert.match(message, /nowhere\.test.*ERR_NAME_NOT_RESOLVED.*internet/);
    assert.equal(exitStatus, EXIT.network);
  });
  test('its certificate is not trusted', async () => {
    const { message, exitStatus } = await failure([URL_OF_PAGE], { trusted: false });
    assert.match(message, /ERR_CERT_AUTHORITY_INVALID.*certificate/);
    assert.equal(exitStatus, EXIT.network);
  });
  test('it is data', async () => {
    const { message, exitStatus } = await failure([`${URL_OF_PAGE}data.json`]);
    assert.match(message, /data\.json is application\/json, expected HTML/);
    assert.equal(exitStatus, EXIT.usage);
  });
  test('it is a file to be saved', async () => {
    const { message, exitStatus } = await failure([`${URL_OF_PAGE}file`]);
    assert.match(message, /file is not a page/);
    assert.equal(exitStatus, EXIT.usage);
  });
  test('it fires no load event', async () => {
    const { message, exitStatus } = await failure([`${URL_OF_PAGE}waits`, '--timeout', '2']);
    assert.match(message, /no load event within 2 s.*--timeout/);
    assert.equal(exitStatus, EXIT.network);
  });
  test('it is interrupted', () =>
    withTemporaryFolder((folder) =>
      withLiveSite(hosts, path.join(folder, 'certs'), async ({ flags }) => {
        const interrupt = new AbortController();
        const site = path.join(folder, 'www.live.test');
        const ended = recordWith([`${URL_OF_PAGE}waits`], {
          folderOf: () => site,
          print: () => setTimeout(() => interrupt.abort(new Error('enough')), 1_000),
          moreFlags: flags,
          httpsRecords: async () => [],
          signal: interrupt.signal,
        });
        await assert.rejects(ended, /enough/);
        assert.equal(existsSync(site), false);
      }),
    ));
  test('its name belongs to a site from another source', async () => {
    const { message, exitStatus } = await failure([URL_OF_PAGE], { taken: true });
    assert.match(message, /was not recorded.*--name/);
    assert.equal(exitStatus, EXIT.usage);
  });
});
