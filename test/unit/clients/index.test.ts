import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { bun } from '../../../clients/bun/client.ts';
import { CLIENTS, clientCommand, clientFor, clientsFor } from '../../../clients/index.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { projectFolder } from '../../../ground/system/folders.mjs';

test('every client has the name of its folder, its programs there, and at least one ability', () => {
  for (const { name, connect, transfer, get, examine } of CLIENTS) {
    const programs = [connect?.program, transfer?.by, get, examine];
    assert.ok(programs.some((program) => program !== undefined));
    for (const program of programs.filter((each) => typeof each === 'string')) {
      assert.equal(path.dirname(program), path.join(projectFolder, 'clients', name));
      assert.ok(existsSync(program));
    }
  }
});

test('every client that connects makes full handshakes by each of its transports', () => {
  const clients = clientsFor('connect');
  assert.ok(clients.length > 0);
  for (const { connect } of clients) {
    const resumptions = Object.values(connect.resumptions);
    assert.ok(resumptions.length > 0);
    for (const each of resumptions) assert.equal(each[0], 'none');
  }
});

test('a client that this version lacks, or without the ability, is rejected with those that have it', () => {
  assert.equal(clientFor('connect', 'bun'), bun);
  for (const name of ['chromium', 'nonsense', 'constructor']) {
    assert.throws(
      () => clientFor('connect', name),
      (error: Error) =>
        error instanceof MachineError &&
        error.message.startsWith(`This version has no client ${name} for connections. It has bun`),
    );
  }
});

test('a client is started by its runtime, or else the set-up that installs it is named', () => {
  const byBun = clientCommand(bun, bun.connect.program, '/machine/bun');
  assert.equal(byBun[0], '/machine/bun');
  assert.equal(byBun.at(-1), bun.connect.program);
  const by = (program: string) => ({ name: 'further', runtime: { program } as never });
  const command = clientCommand(by(process.execPath), 'program.py', '/machine/bun');
  assert.equal(command[0], process.execPath);
  assert.equal(command.at(-1), 'program.py');
  assert.throws(() => clientCommand(by('/nowhere/python'), 'program.py', '/machine/bun'), {
    name: 'MachineError',
    message: /npm run setup -- --clients further$/,
  });
});

test('client runtimes are separate from server runtimes, in pinned versions', () => {
  const programs = CLIENTS.flatMap(({ runtime }) => runtime?.program ?? []);
  assert.equal(new Set(programs).size, programs.length);
  for (const { name, runtime } of CLIENTS) {
    if (runtime === null) continue;
    assert.ok(runtime.program.startsWith(path.join(projectFolder, '.setup')));
    assert.deepEqual(runtime.install.madeFrom, [`clients/${name}/requirements.txt`]);
    for (const file of runtime.install.madeFrom)
      assert.ok(existsSync(path.join(projectFolder, file)), file);
  }
});
