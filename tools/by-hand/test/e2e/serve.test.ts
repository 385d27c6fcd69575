import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { siteFolder } from '../../../../cache/catalogue.ts';
import { readManifest } from '../../../../cache/manifest.ts';
import { runProgram } from '../../../../ground/system/program-output.ts';
import { startProgram } from '../../../../test/e2e/command.ts';
import { assertNothingLeft, assertNoUplinkLeft } from '../../../../test/e2e/left-behind.ts';
import { agentOf, eventually, processes } from '../../../../test/e2e/processes.ts';
import { TESTED_STACKS } from '../../../../test/e2e/tested-stacks.ts';
import { withServedByHand } from './served-by-hand.ts';

const SITE = 'www.example.org';
const manifest = await readManifest(siteFolder(SITE));
const page = manifest.resources.find(({ url }) => url === manifest.url);
assert.ok(page?.sha256);

const curl = await runProgram('curl', ['--version']);

/** A shell's reading of a line, as for a user who has copied it. */
async function inShell(line: string): Promise<Buffer> {
  const options = { encoding: 'buffer', timeout: 30_000 } as const;
  return (await promisify(execFile)('sh', ['-c', line], options)).stdout;
}

function assertPage(body: Buffer): void {
  assert.equal(createHash('sha256').update(body).digest('hex'), page?.sha256);
}

/** Protocol of the document in the Chromium that a line starts, without a display. */
async function protocolByChromium(line: string): Promise<string> {
  const browser = await puppeteer.launch({
    executablePath: '/bin/sh',
    args: ['-c', `${line} --headless --remote-debugging-pipe`],
    ignoreDefaultArgs: true,
    pipe: true,
  });
  try {
    const target = await browser.waitForTarget((each) => each.url() === manifest.url);
    const opened = await target.page();
    assert.ok(opened);
    await opened.waitForFunction(
      (url) => location.href === url && document.readyState === 'complete',
      {},
      manifest.url,
    );
    return await opened.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation');
      return (navigation as PerformanceNavigationTiming).nextHopProtocol;
    });
  } finally {
    await browser.close();
  }
}

for (const { stack, protocol } of TESTED_STACKS) {
  test(`${stack}: loads the page by the printed commands for Chromium, curl and get`, (t) =>
    withServedByHand([SITE, '--stack', stack, '--rtt', '10'], async ({ below }) => {
      const [chromium = ''] = below(/^Chromium, /);
      // A new browser uses HTTP/2 first where it may choose.
      const expected = protocol === 'h2+h3' ? 'h2' : protocol;
      assert.equal(await protocolByChromium(chromium), expected);
      for (const line of below(/^curl/)) {
        if (line.includes('--http3') && !(curl.ok && / HTTP3\b/.test(curl.output))) {
          t.diagnostic('left out: the curl of this machine has no HTTP/3');
          continue;
        }
        assertPage(await inShell(`${line} --silent --show-error --fail`));
      }
      for (const line of below(/^npm run get/)) assertPage(await inShell(line));
      assert.match(
        below(/^The path: 10 ms/).join('\n'),
        /round trip +configured 10 ms, measured over UDP 1\d\./,
      );
    }));
}

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`ends on ${signal}, and leaves nothing`, async () => {
    const command = startProgram(['serve', SITE]);
    await command.printed(/until Ctrl-C/);
    command.child.kill(signal);
    assert.equal(await command.ended, 0, command.output());
    await assertNothingLeft(command);
  });
}

test("ends what a user has started at the client's end", async () => {
  let ended: Promise<unknown[]> | undefined;
  await withServedByHand([SITE, '--stack', 'bun-h2'], async ({ below }) => {
    const [enter = ''] = below(/^They are reachable/);
    const program = spawn('sh', ['-c', `exec ${enter} sleep 300`]);
    ended = once(program, 'exit');
    await eventually(() => {
      const sleeping = processes().find(({ pid }) => pid === program.pid);
      assert.ok(sleeping?.command.startsWith('sleep\x00'));
    });
  });
  assert.deepEqual(await ended, [null, 'SIGTERM']);
});

for (const [when, pattern] of [
  ['while the path is made', /^Creating and measuring the path/m],
  ['before anything is printed', /^/],
] as const) {
  test(`leaves nothing after Ctrl-C ${when}, and reports the interruption`, async () => {
    // A path with a long round trip takes long to measure.
    const command = startProgram(['serve', SITE, '--rtt', '1000']);
    await command.printed(pattern);
    // A program that has just begun handles no signals yet.
    await eventually(() => agentOf(command.child.pid ?? 0));
    command.child.kill('SIGINT');
    assert.equal(await command.ended, 130, command.output());
    await assertNothingLeft(command);
  });
}

test('ends when a server dies, with the end of its log', async () => {
  const command = startProgram(['serve', SITE, '--stack', 'bun-h2']);
  await command.printed(/until Ctrl-C/);
  const server = processes().find(
    ({ parent, command: words }) => parent === command.child.pid && words.includes('--listen'),
  );
  assert.ok(server);
  process.kill(server.pid, 'SIGKILL');
  assert.equal(await command.ended, 4, command.output());
  assert.match(
    command.output(),
    /server for www\.example\.org ended \(SIGKILL\) while it was needed/,
  );
  await assertNothingLeft(command);
});

test('ends when a path breaks, and reports it', async () => {
  const command = startProgram(['serve', SITE, '--stack', 'bun-h2']);
  await command.printed(/until Ctrl-C/);
  process.kill(agentOf(command.child.pid ?? 0).pid, 'SIGKILL');
  assert.equal(await command.ended, 5, command.output());
  assert.match(command.output(), /path agent ended \(SIGKILL\) unexpectedly/);
  await assertNothingLeft(command);
});

const REFUSED: readonly [what: string, words: string[], status: number, reason: RegExp][] = [
  ['no site', [], 2, /SITE is missing/],
  [
    'a site that the cache has not',
    ['www.example.orgg'],
    2,
    /www\.example\.orgg.*www\.example\.org/s,
  ],
  ['two sites', [SITE, 'www.iana.org'], 2, /One SITE at a time/],
  ['an unknown stack', [SITE, '--stack', 'nginx'], 2, /Unknown stack nginx/],
  ['several networks', [SITE, '--rtt', '0,30'], 2, /one path at a time/],
  [
    'a server that does not run',
    [SITE, '--stack', 'mine-h2=https://localhost:1'],
    4,
    /mine-h2 at https:\/\/localhost:1 .*start the server first/s,
  ],
];

for (const [what, words, status, reason] of REFUSED) {
  test(`rejects ${what}`, async () => {
    const command = startProgram(['serve', ...words]);
    assert.equal(await command.ended, status, command.output());
    assert.match(command.output(), reason);
    await assertNothingLeft(command);
    await assertNoUplinkLeft();
  });
}

test('loses packets of any manual traffic over the path of a site', () =>
  withServedByHand([SITE, '--stack', 'bun-h2', '--loss', '20'], async ({ below }) => {
    const [enter = ''] = below(/^They are reachable/);
    const said = (
      await inShell(`${enter} ping -q -c 100 -i 0.01 -W 1 198.18.1.1 || true`)
    ).toString();
    // Of 100 pings 36 are lost there or back; five standard deviations.
    const answered = Number(/(\d+) received/.exec(said)?.[1]);
    assert.ok(answered > 39 && answered < 89, said);
  }));
