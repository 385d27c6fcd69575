import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { X11_FOLDER } from '../../screen.ts';
import { withScreenEverywhere } from '../../screen-relay.ts';

const X11_PORT = 6000;

/** A socket whose listener was killed. */
function leaveBehind(file: string): void {
  const script = `require('node:net').createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 'SIGKILL'))`;
  assert.throws(() => execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' }));
  assert.ok(existsSync(file));
}

test('gives a screen behind a port a socket, also over a dead one, and leaves none', async () => {
  const screen = createServer((socket) => socket.on('error', () => {}).end('screen'));
  screen.listen(0, '127.0.0.1');
  await once(screen, 'listening');
  const number = (screen.address() as AddressInfo).port - X11_PORT;
  const file = `${X11_FOLDER}/X${number}`;
  const env = { DISPLAY: `127.0.0.1:${number}` };
  const look = () =>
    withScreenEverywhere(async (environment) => {
      assert.deepEqual(environment, [`DISPLAY=:${number}`]);
      const [said] = await once(connect(file), 'data');
      assert.equal(`${said}`, 'screen');
    }, env);
  try {
    await look();
    assert.ok(!existsSync(file));
    leaveBehind(file);
    await look();
    assert.ok(!existsSync(file));
  } finally {
    screen.close();
  }
});
