import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readMachine } from '../../../../runner/machine.ts';
import { STACKS } from '../../../../servers/index.ts';
import { startProgram } from '../../../../test/e2e/command.ts';
import { shownRows } from '../../../../test/e2e/devtools/devtools.ts';
import { makeLiveHar } from '../../../../test/e2e/devtools/live-har.ts';
import { assertNothingLeft } from '../../../../test/e2e/left-behind.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { fixtureRun, NONE, writeRun } from '../../../../test/unit/report/fixture-run.ts';
import { type OpenedWindow, withOpenedWindow } from './opened-window.ts';
import { withScreen } from './screen.ts';

const machine = readMachine();

/**
 * A run of one site on three stacks, two of whose loads have HARs of real loads, one compressed.
 */
async function makeRun(folder: string): Promise<Map<string, string>> {
  const fixture = fixtureRun({ subjects: ['www.har.test'], networks: [NONE], repetitions: 1 });
  const jsonOf = new Map<string, string>();
  await mkdir(path.join(folder, 'har'), { recursive: true });
  for (const arm of ['lsquic-h3', 'bun-h2']) {
    const stack = STACKS.find(({ stack: name }) => name === arm);
    assert.ok(stack);
    const made = path.join(folder, `made-${arm}`);
    const { file } = await makeLiveHar(machine, stack, made, 'chromium');
    const load = fixture.observations.find((each) => each.arm === arm && !each.warmup);
    assert.ok(load);
    const json = await readFile(file, 'utf8');
    const packed = arm === 'bun-h2';
    load.files.har = `har/${load.id}.har${packed ? '.gz' : ''}`;
    await writeFile(path.join(folder, load.files.har), packed ? gzipSync(json) : json);
    jsonOf.set(load.id, json);
  }
  await writeRun(folder, fixture);
  return jsonOf;
}

/**
 * Opens the named HARs on a separate screen, and passes on the browser once its windows are there.
 */
async function withOpened(
  words: readonly string[],
  folder: string,
  use: (opened: OpenedWindow) => Promise<void>,
): Promise<void> {
  await withScreen(async (display) => {
    await assertNothingLeft(await withOpenedWindow(words, { display, folder }, use));
  });
}

/** Name and protocol of each request, in the HAR and in DevTools. */
function requestsIn(json: string): string[] {
  const { entries } = JSON.parse(json).log;
  return entries
    .map(
      ({ request, response }: { request: { url: string }; response: { httpVersion: string } }) => {
        const { pathname, search, host } = new URL(request.url);
        return `${pathname === '/' ? host : path.basename(pathname) + search} ${response.httpVersion}`;
      },
    )
    .toSorted();
}

test('shows the median loads of a run in the Network panel, packed ones too, and ends with its windows', () =>
  withTemporaryFolder(async (folder) => {
    const run = path.join(folder, 'run');
    const jsonOf = await makeRun(run);
    await withOpened([run], folder, async ({ browser, command }) => {
      const pages = await browser.pages();
      assert.equal(pages.length, 2);
      for (const page of pages) {
        const title = await page.title();
        const [id, json = ''] =
          [...jsonOf].find(([each]) => each.includes(title.split(':', 1)[0] as string)) ?? [];
        assert.ok(id, title);
        assert.match(title, /^(lsquic-h3|bun-h2): [\d,.]+ ms, www\.har\.test, no added delay$/);
        const requests = requestsIn(json);
        const rows = await shownRows(page, ['name', 'protocol', 'status'], requests.length);
        assert.deepEqual(
          rows.map(({ name, protocol }) => `${name} ${protocol}`).toSorted(),
          requests,
        );
        const protocols = new Set(
          rows.filter(({ status }) => status === '200').map(({ protocol }) => protocol),
        );
        assert.deepEqual([...protocols], [title.startsWith('lsquic') ? 'h3' : 'h2']);
        await page.close();
      }
      assert.equal(await command.ended, 0, command.output());
    });
  }));

test('shows a HAR of a named load, or a file, and ends on Ctrl-C', () =>
  withTemporaryFolder(async (folder) => {
    const run = path.join(folder, 'run');
    const [[id = '', json = ''] = []] = await makeRun(run);
    const har = path.join(folder, 'mine.har.gz');
    await writeFile(har, gzipSync(json));
    for (const [name, words] of Object.entries({ load: [run, id], file: [har] })) {
      const browserFolder = path.join(folder, name);
      await mkdir(browserFolder);
      await withOpened(words, browserFolder, async ({ browser, command }) => {
        const [page, ...rest] = await browser.pages();
        assert.ok(page);
        assert.equal(rest.length, 0);
        const requests = requestsIn(json).length;
        assert.equal((await shownRows(page, ['name'], requests)).length, requests);
        command.child.kill('SIGINT');
        assert.equal(await command.ended, 130, command.output());
      });
    }
  }));

test('reports what it cannot open, and why', () =>
  withTemporaryFolder(async (folder) => {
    const file = (name: string) => path.join(folder, name);
    await writeFile(file('text.har'), 'hello');
    await writeFile(file('json.har'), '{}');
    await writeFile(
      file('cut.har.gz'),
      gzipSync('{"log":{"entries":[]}}'.repeat(9)).subarray(0, 30),
    );
    await writeFile(file('entry.har'), '{"log":{"entries":[{"startedDateTime":"yesterday"}]}}');
    await mkdir(file('empty'));
    await withScreen(async (DISPLAY) => {
      for (const [name, words] of [
        ['absent.har', /there is no such file/],
        ['text.har', /is not valid JSON/],
        ['json.har', /no list log\.entries/],
        ['cut.har.gz', /is damaged: gzip says/],
        ['entry.har', /DevTools cannot read the HAR/],
        ['empty', /run\.json is missing/],
      ] as const) {
        const command = startProgram(['open', file(name)], { DISPLAY });
        assert.equal(await command.ended, 2, command.output());
        assert.match(command.output(), words);
        await assertNothingLeft(command);
      }
    });
  }));

test('reports a missing screen, and the path of the HAR', () =>
  withTemporaryFolder(async (folder) => {
    const har = path.join(folder, 'page.har');
    await writeFile(har, '{"log":{"entries":[]}}');
    const shell = path.join(folder, 'chrome-headless-shell');
    await symlink(machine.chromium, shell);
    const none = { DISPLAY: '', WAYLAND_DISPLAY: '' };
    for (const [env, words] of [
      [none, /neither DISPLAY nor WAYLAND_DISPLAY is set\. .*ssh -X.*xvfb-run/],
      [{ ...none, DISPLAY: ':654' }, /does not respond: DISPLAY=:654/],
      [{ ...none, WAYLAND_DISPLAY: path.join(folder, 'no') }, /does not respond: WAYLAND_DISPLAY=/],
      [{ ...none, CHROMIUM_PATH: shell }, /is a headless shell, which opens no windows/],
    ] as const) {
      const command = startProgram(['open', har], env);
      assert.equal(await command.ended, 3, command.output());
      assert.match(command.output(), words);
      assert.ok(command.output().includes(har));
      await assertNothingLeft(command);
    }
  }));
