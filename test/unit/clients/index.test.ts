import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { ConnectingClient } from '../../../clients/client.ts';
import { CONNECTING_CLIENTS, clientCommand } from '../../../clients/index.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { projectFolder } from '../../../ground/system/project-folder.ts';

const CLIENTS = Object.entries<ConnectingClient>(CONNECTING_CLIENTS);

test('every client has the name of its folder, a program, and full handshakes by each way that it knows', () => {
  for (const [name, client] of CLIENTS) {
    assert.equal(client.name, name);
    assert.equal(path.dirname(client.program), path.join(projectFolder, 'clients', name));
    assert.ok(existsSync(client.program));
    const resumptions = Object.values(client.resumptions);
    assert.ok(resumptions.length > 0);
    for (const each of resumptions) assert.equal(each[0], 'none');
  }
});

test('a client is started by what it runs on, or else set-up is named that brings it', () => {
  const { bun, curl } = CONNECTING_CLIENTS;
  const byBun = clientCommand(bun, '/machine/bun');
  assert.equal(byBun[0], '/machine/bun');
  assert.equal(byBun.at(-1), bun.program);
  const { runtime } = curl as ConnectingClient;
  assert.ok(runtime);
  const here = { ...curl, runtime: { ...runtime, program: process.execPath } };
  const command = clientCommand(here, '/machine/bun');
  assert.equal(command[0], process.execPath);
  assert.equal(command.at(-1), curl.program);
  const absent = { ...curl, runtime: { ...runtime, program: '/nowhere/python' } };
  assert.throws(
    () => clientCommand(absent, '/machine/bun'),
    (error: Error) =>
      error instanceof MachineError && /npm run setup -- --clients curl$/.test(error.message),
  );
});

test('what clients run on is apart from what servers run on, in versions that are pinned', () => {
  const programs = CLIENTS.flatMap(([, { runtime }]) => runtime?.program ?? []);
  assert.equal(new Set(programs).size, programs.length);
  for (const [name, { runtime }] of CLIENTS) {
    if (runtime === null) continue;
    assert.ok(runtime.program.startsWith(path.join(projectFolder, '.setup')));
    assert.deepEqual(runtime.install.madeFrom, [`clients/${name}/requirements.txt`]);
    for (const file of runtime.install.madeFrom)
      assert.ok(existsSync(path.join(projectFolder, file)), file);
  }
});
