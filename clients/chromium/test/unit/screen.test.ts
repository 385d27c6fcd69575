import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { assertScreen, screenAddresses } from '../../screen.ts';

test('searches for a screen where X11 and Wayland have it', () => {
  const local = [{ path: '/tmp/.X11-unix/X7' }, { path: '\0/tmp/.X11-unix/X7' }];
  assert.deepEqual(screenAddresses({ DISPLAY: ':7' }), local);
  assert.deepEqual(screenAddresses({ DISPLAY: 'unix:7.1' }), local);
  assert.deepEqual(screenAddresses({ DISPLAY: 'localhost:10.0' }), [
    { host: 'localhost', port: 6010 },
  ]);
  assert.deepEqual(screenAddresses({ DISPLAY: '[::1]:10' }), [{ host: '::1', port: 6010 }]);
  assert.deepEqual(
    screenAddresses({ WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/5' }),
    [{ path: '/run/user/5/wayland-0' }],
  );
  assert.deepEqual(screenAddresses({ WAYLAND_DISPLAY: '/w', DISPLAY: 'nonsense' }), [
    { path: '/w' },
  ]);
  assert.deepEqual(screenAddresses({}), []);
});

test('accepts a screen that answers, and names one that does not', () =>
  withTemporaryFolder(async (folder) => {
    const place = path.join(folder, 'wayland-0');
    const screen = createServer((connection) => connection.end()).listen(place);
    await once(screen, 'listening');
    const env = { WAYLAND_DISPLAY: place, DISPLAY: ':9999' };
    await assertScreen('Or else.', env);
    screen.close();
    await once(screen, 'close');
    await assert.rejects(assertScreen('Or else.', env), {
      exitStatus: 3,
      message: /does not respond: WAYLAND_DISPLAY=.*wayland-0 and DISPLAY=:9999\..* Or else\.$/,
    });
    await assert.rejects(assertScreen('Or else.', {}), /neither DISPLAY nor WAYLAND_DISPLAY/);
  }));
