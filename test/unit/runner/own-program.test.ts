import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { armOf, stackOfArm } from '../../../experiments/arms.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { readOptions } from '../../../runner/options.ts';
import { assertOwnPrograms } from '../../../runner/own-program.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';

/** A program that could be started. */
function programIn(folder: string): string {
  const program = path.join(folder, 'start.sh');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  return program;
}

test('measures a user’s own server over HTTP/3 against itself over HTTP/2', (t) => {
  const program = programIn(temporaryFolder(t));
  const { stacks, analysis } = readOptions(['--server', program]);
  assertEach(stacks, ({ stack, protocol, own }) => ({ stack, protocol, own }), [
    { stack: 'own-h3', protocol: 'h3', own: { program } },
    { stack: 'own-h2', protocol: 'h2', own: { program } },
  ]);
  assert.equal(analysis.baseline, 'own-h2');
});

test('counts among the named stacks next to those of this project', (t) => {
  const program = programIn(temporaryFolder(t));
  const named = (stacks: string) => readOptions(['--server', program, '--stacks', stacks]);
  const { stacks, analysis } = named('own-h1,bun-h2');
  assertEach(stacks, ({ stack }) => stack, ['own-h1', 'bun-h2']);
  assert.equal(analysis.baseline, 'bun-h2');
  assert.throws(
    () => named('bun-h2'),
    /your server is not among them.*own-h3, own-h2, own-h1, own-dual/,
  );
  assert.throws(() => readOptions(['--stacks', 'own-h2']), /own-h2.*--server PROGRAM/);
});

test('measures two programs in one run, each against itself over HTTP/2', (t) => {
  const program = programIn(temporaryFolder(t));
  const read = (...words: string[]) =>
    readOptions(words.map((word) => word.replace('PROGRAM', program)));
  const two = ['--server', 'old=PROGRAM', '--server', 'new=PROGRAM'];
  const { stacks, analysis } = read(...two);
  assertEach(stacks, ({ stack, comparedWith }) => ({ stack, comparedWith }), [
    { stack: 'old-h3', comparedWith: undefined },
    { stack: 'old-h2', comparedWith: undefined },
    { stack: 'new-h3', comparedWith: 'new-h2' },
    { stack: 'new-h2', comparedWith: undefined },
  ]);
  assert.equal(analysis.baseline, 'old-h2');
  const named = read(...two, '--stacks', 'old-h3,new-h3', '--baseline', 'old-h3');
  assertEach(named.stacks, ({ stack }) => stack, ['old-h3', 'new-h3']);
  const byProtocol = read(...two, '--baseline', 'old-h3');
  assertEach(byProtocol.stacks, ({ stack, comparedWith }) => [stack, comparedWith], [
    ['old-h3', undefined],
    ['old-h2', undefined],
    ['new-h3', undefined],
    ['new-h2', 'old-h2'],
  ]);
  const mixed = read('--server', 'PROGRAM', '--server', 'new=PROGRAM');
  assertEach(mixed.stacks, ({ stack }) => stack, ['own-h3', 'own-h2', 'new-h3', 'new-h2']);
  assert.throws(() => read(...two, '--stacks', 'old-h3,bun-h2'), /not among them.*new-h3/);
  assert.throws(
    () => read(...two, '--stacks', 'old-h3=https://a.test,old-h2,new-h3'),
    /old-h3 is .*another name/,
  );
});

test('takes a running server by its address, with both protocols', () => {
  const { stacks } = readOptions(['--server', 'mine=https://localhost:8443']);
  const own = { url: 'https://localhost:8443' };
  assertEach(stacks, ({ stack, own: by }) => ({ stack, own: by }), [
    { stack: 'mine-h3', own },
    { stack: 'mine-h2', own },
  ]);
});

test('rejects names of servers that are alike, not valid, or belong to a stack', () => {
  const node = process.execPath;
  for (const [servers, said] of [
    [['a', 'b'], /--server: a and b have the same name, own\. .*--server NAME1=a --server NAME2=b/],
    [['x=a', 'y=b', 'x=c'], /--server: a and c have the same name, x/],
    [[`bun=${node}`], /bun-h2 is a stack of this project.*my-bun=/],
    [[`lsquic-h3=${node}`], /lsquic-h3 is a stack of this project/],
    [[`Old=${node}`], /small letters, digits.*got "Old".*old=/],
    [[`${'a'.repeat(41)}=${node}`], /at most 40/],
    [['old='], /expected PROGRAM or NAME=PROGRAM/],
    [['=a'], /expected PROGRAM or NAME=PROGRAM/],
    [['mine=http://localhost'], /--server mine=http.*got http/],
  ] as const) {
    const words = servers.flatMap((server) => ['--server', server]);
    assert.throws(() => readOptions(words), said, servers.join());
  }
});

test('takes an equals sign behind a slash for a part of the path', (t) => {
  const folder = temporaryFolder(t);
  const program = path.join(folder, 'a=b.sh');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const [stack] = readOptions(['--server', program]).stacks;
  assert.deepEqual([stack?.stack, stack?.own], ['own-h3', { program }]);
});

test('resolves a path when the option is read, and keeps it in the plan', (t) => {
  const program = programIn(temporaryFolder(t));
  const [stack] = readOptions(['--server', path.relative('.', program)]).stacks;
  assert.ok(stack);
  const arm = armOf(stack, { client: 'chromium' });
  assert.deepEqual(arm.own, { program });
  assert.deepEqual(stackOfArm(arm).own, { program });
});

test('rejects what cannot be started when the option is read, with the remedy', (t) => {
  const folder = temporaryFolder(t);
  const read = (file: string) => readOptions(['--server', file]);
  const isUsage = (part: RegExp) => (error: unknown) =>
    error instanceof UsageError && part.test(error.message);
  assert.throws(
    () => read(path.join(folder, 'none.sh')),
    isUsage(/none\.sh does not exist.*servers\/README/),
  );
  assert.throws(() => read(folder), isUsage(/is no file/));
  const program = programIn(folder);
  for (const interpreter of ['/bin/sh', '/usr/bin/env sh', '/usr/bin/env -S node --no-warnings']) {
    writeFileSync(program, `#!${interpreter}\nexit 1\n`);
    assert.doesNotThrow(() => read(program));
    writeFileSync(program, `#!${interpreter}\r\nexit 1\r\n`);
    assert.throws(() => read(program), isUsage(/CRLF.*sed -i 's\/\\r\$\/\/' .*start\.sh/));
  }
  writeFileSync(program, '#! /no/such/python3 -u\n');
  assert.throws(() => read(program), isUsage(/\/no\/such\/python3, which does not exist/));
  writeFileSync(program, '\x7fELF\r\n');
  assert.doesNotThrow(() => read(program));
  chmodSync(program, 0o644);
  assert.throws(() => read(program), isUsage(/is not executable.*chmod \+x/));
});

test('reports which stack of a plan has lost its program', (t) => {
  const program = programIn(temporaryFolder(t));
  const { stacks } = readOptions(['--server', program]);
  assert.doesNotThrow(() => assertOwnPrograms(stacks));
  chmodSync(program, 0o644);
  assert.throws(() => assertOwnPrograms(stacks), /own-h3 is .*start\.sh: it is not executable/);
});
