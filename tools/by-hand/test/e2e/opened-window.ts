import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Browser } from 'puppeteer-core';
import { temporaryParent } from '../../../../ground/system/temporary-folder.ts';
import { readMachine } from '../../../../runner/machine.ts';
import { type Command, startProgram } from '../../../../test/e2e/command.ts';
import { temporaryFoldersOf } from '../../../../test/e2e/left-behind.ts';
import { processes } from '../../../../test/e2e/processes.ts';

/** A window of `npm run open`, as observed from outside. */
export interface OpenedWindow {
  command: Command;
  /** Connected by a port at the client's end of the path, which is unknown to the window. */
  browser: Browser;
}

/**
 * Runs `npm run open` with a Chromium under inspection, passes on its window, and ends it; it has
 * to be closed in the end.
 * @param folder for files of the test
 */
export async function withOpenedWindow(
  words: readonly string[],
  { display, folder }: { display: string; folder: string },
  use: (opened: OpenedWindow) => Promise<void>,
): Promise<Command> {
  const chromium = path.join(folder, 'chromium');
  const real = readMachine().chromium;
  writeFileSync(chromium, `#!/bin/sh\nexec '${real}' --remote-debugging-port=0 "$@"\n`);
  chmodSync(chromium, 0o755);
  const env = { DISPLAY: display, WAYLAND_DISPLAY: '', CHROMIUM_PATH: chromium };
  const command = startProgram(['open', ...words], env);
  try {
    await command.printed(/^Opening .*until its window is closed|^Opened in /m);
    const { port, endpoint } = await debuggingPort(command);
    await withRelay(command, port, path.join(folder, 'devtools.socket'), async (socket) => {
      const browser = await puppeteer.connect({
        browserWSEndpoint: `ws+unix://${socket}:${endpoint}`,
        defaultViewport: null,
        handleDevToolsAsPage: true,
      });
      try {
        await use({ command, browser });
      } finally {
        await browser.disconnect();
      }
    });
  } finally {
    command.child.kill('SIGINT');
    await command.ended;
  }
  return command;
}

/** Chromium's own entry about it in its profile. */
async function debuggingPort({ child, output }: Command) {
  for (let time = 0; time < 300; time++) {
    for (const folder of temporaryFoldersOf(child.pid)) {
      const file = path.join(temporaryParent(), folder, 'profile', 'DevToolsActivePort');
      if (!existsSync(file)) continue;
      const [port = '', endpoint = ''] = readFileSync(file, 'utf8').split('\n');
      if (endpoint) return { port, endpoint };
    }
    await sleep(100);
  }
  throw new Error(`no Chromium with a port:\n${output()}`);
}

const RELAY = `
const net = require('node:net');
const [socket, port] = process.argv.slice(1);
net.createServer((here) => {
  const there = net.connect(port, '127.0.0.1');
  for (const each of [here, there]) each.on('error', () => {});
  here.pipe(there).pipe(here);
}).listen(socket, () => console.log('ready'));
`;

/** Sockets of the file system are the same in all network namespaces. */
async function withRelay(
  { child }: Command,
  port: string,
  socket: string,
  use: (socket: string) => Promise<void>,
): Promise<void> {
  const [browser] = processes().filter(
    ({ parent, command: words }) => parent === child.pid && words.includes('--remote-debugging'),
  );
  assert.ok(browser, 'the program has started Chromium');
  const enter = [`--net=/proc/${browser.pid}/ns/net`, '--', process.execPath, '-e', RELAY];
  const relay = spawn('nsenter', [...enter, socket, port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ended = once(relay, 'exit').then(() => Promise.reject(new Error('the relay ended')));
    await Promise.race([once(relay.stdout, 'data'), ended]);
    ended.catch(() => {});
    await use(socket);
  } finally {
    relay.kill();
  }
}
