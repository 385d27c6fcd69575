import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { BrowserHungError } from '../../../browser-hung.ts';
import { LIMITS } from '../../../browser-limits.ts';
import { openContext } from '../../context.ts';
import { type RunningFirefox, runFirefox } from '../../firefox.ts';

type Writable = { -readonly [Limit in keyof typeof LIMITS]: number };

/** Prints its port, accepts connections, and never answers. */
const HUNG = `#!${process.execPath}
const server = require('node:net').createServer(() => {});
server.listen(0, '127.0.0.1', () => {
  console.error('WebDriver BiDi listening on ws://127.0.0.1:' + server.address().port);
});
`;

test('a Firefox that hangs after it printed its port is killed', async (t) => {
  t.mock.property(LIMITS as object as Writable, 'browserStartMs', 2_000);
  await withTemporaryFolder(async (folder) => {
    const firefox = path.join(folder, 'firefox');
    await writeFile(firefox, HUNG);
    await chmod(folder, 0o755);
    await chmod(firefox, 0o755);
    const server = { stack: { stack: 'none', protocol: 'h3' as const }, origins: {}, firefox };
    const startedMs = performance.now();
    await assert.rejects(runFirefox(server, { enter: [], freely: {} }), BrowserHungError);
    assert.ok(performance.now() - startedMs < LIMITS.browserCloseMs);
  });
});

test('a Firefox that opens no tab in time is ended', async (t) => {
  t.mock.property(LIMITS as object as Writable, 'browserAnswerMs', 100);
  let isEnded = false;
  const session = { send: () => new Promise(() => {}) };
  const end = async () => {
    isEnded = true;
  };
  await assert.rejects(
    openContext({ session } as unknown as RunningFirefox, end),
    BrowserHungError,
  );
  assert.ok(isEnded);
});
