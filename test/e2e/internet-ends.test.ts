import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Hosts, withInternet } from '../internet/internet.ts';
import { requestByQuic, requestByTls, sendDatagrams } from '../internet/witness/witness.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Command, startCommand } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';

const HELD = path.join(import.meta.dirname, 'held-internet.ts');

/** Temporary folders of all users below a folder for temporary files. */
function foldersIn(folder: string): string[] {
  return readdirSync(folder).flatMap((user) => readdirSync(path.join(folder, user)));
}

/**
 * Starts a program that keeps an internet, with a separate folder for temporary files, and waits
 * until the internet is there.
 */
async function held(folder: string, ...args: string[]): Promise<Command> {
  const command = startCommand(process.execPath, [HELD, ...args], { TMPDIR: folder });
  await command.printed(/^ready$/m);
  return command;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`leaves neither process nor folder when its test is ended by ${signal}`, async (t) => {
    const folder = temporaryFolder(t);
    const command = await held(folder);
    assert.ok(command.leftProcesses().length >= 6, 'agent, holders, servers and a command run');
    assert.equal(foldersIn(folder).length, 1);
    command.child.kill(signal);
    await command.ended;
    await assertNoProcessLeft(command);
    assert.deepEqual(foldersIn(folder), []);
  });
}

test('leaves neither process nor folder when its test fails', async (t) => {
  const folder = temporaryFolder(t);
  const command = await held(folder, '--fails');
  assert.equal(await command.ended, 1);
  assert.match(command.output(), /as asked/);
  await assertNoProcessLeft(command);
  assert.deepEqual(foldersIn(folder), []);
});

test('leaves no process when its test is killed, and the next one removes its folder', async (t) => {
  const folder = temporaryFolder(t);
  const killed = await held(folder);
  const left = foldersIn(folder);
  assert.equal(left.length, 1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  await assertNoProcessLeft(killed);
  const next = await held(folder);
  assert.equal(foldersIn(folder).length, 1);
  assert.notDeepEqual(foldersIn(folder), left);
  next.child.kill('SIGTERM');
  await next.ended;
  await assertNoProcessLeft(next);
});

test("gives the client’s machine its own name server, and keeps that of the test's machine", async () => {
  const before = readFileSync('/etc/resolv.conf', 'utf8');
  const folder = await withInternet({ hosts: { 'web.test': 'web' } }, async (internet) => {
    const { stdout } = await internet.run(['cat', '/etc/resolv.conf']);
    assert.match(stdout, /^nameserver 10\.91\.0\.53$/m);
    assert.equal(readFileSync('/etc/resolv.conf', 'utf8'), before);
    return path.dirname(internet.caFile);
  });
  assert.ok(!existsSync(folder));
});

test('stops a command that still runs when a test fails', async () => {
  let command: Promise<unknown> = Promise.resolve();
  const failing = withInternet({ hosts: { 'web.test': 'web' } }, async ({ run }) => {
    command = run(['sleep', '1000']);
    throw new Error('as asked');
  });
  await assert.rejects(failing, /as asked/);
  assert.deepEqual(await command, { status: 'SIGTERM', stdout: '', stderr: '' });
});

test('returns exit status and output of commands, and has no route to other addresses', async () => {
  await withInternet({ hosts: { 'web.test': 'web' } }, async ({ run }) => {
    const echo = await run(['sh', '-c', 'cat; echo wrong >&2; exit 3'], { input: 'given' });
    assert.deepEqual(echo, { status: 3, stdout: 'given', stderr: 'wrong\n' });
    const connect = `require('node:net').connect(443, '192.0.2.1').on('error', ({ code }) => console.log(code))`;
    assert.equal((await run([process.execPath, '-e', connect])).stdout, 'ENETUNREACH\n');
  });
});

test('drops UDP to a host and lets it through again, over IPv4 and IPv6', async () => {
  const hosts = { 'web.test': 'web', 'refuses.test': 'refuses' } as const;
  await withInternet({ hosts }, async (internet) => {
    const send = async (timeoutMs?: number) => {
      const targets = internet
        .addressesOf('web.test')
        .map((address) => ({ host: 'web.test', address }));
      const results = await requestByQuic(internet, targets, timeoutMs);
      return results.map(({ received }) => received.length > 0);
    };
    const refused = () => sendDatagrams(internet, internet.addressesOf('refuses.test'));
    assert.deepEqual(await send(), [true, true]);
    const letThrough = await internet.dropUdp('web.test');
    assert.deepEqual(await send(3_000), [false, false]);
    assert.deepEqual(await refused(), ['ECONNREFUSED', 'ECONNREFUSED'], 'others are not dropped');
    await letThrough();
    assert.deepEqual(await send(), [true, true]);
  });
});

test('has room for 1,000 hosts, some of which are dead', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `host-${index}.test`);
  const isDead = (index: number) => index % 20 === 19;
  const hosts: Hosts = Object.fromEntries(
    names.map((name, index) => {
      const sharesWith = names[index - (index % 20)];
      return [name, isDead(index) ? 'dead' : { kind: 'web', sharesWith }];
    }),
  );
  await withInternet({ hosts }, async (internet) => {
    const targets = names.map((host) => ({ host, address: internet.addressesOf(host)[0] ?? '' }));
    const results = await requestByTls(internet, targets, 120_000);
    for (const [index, { error, answer }] of results.entries()) {
      if (isDead(index)) assert.equal(error, 'EHOSTUNREACH', names[index]);
      else assert.match(answer ?? `${error}`, new RegExp(`<p>${names[index]} over`));
    }
    const some = targets.filter((_, index) => index % 20 === 7);
    for (const [index, { body }] of (await requestByQuic(internet, some, 120_000)).entries()) {
      assert.match(body, new RegExp(`<p>${some[index]?.host} over h3`));
    }
  });
});

test('rejects contradictory descriptions of hosts', async () => {
  const refused = (hosts: Hosts) => withInternet({ hosts }, async () => {});
  await assert.rejects(
    refused({ 'a.test': { kind: 'web', sharesWith: 'b.test' } }),
    /a\.test shares what b\.test has not/,
  );
  await assert.rejects(
    refused({ 'a.test': 'web', 'b.test': { kind: 'dead', sharesWith: 'a.test' } }),
    /b\.test and a\.test differ in kind/,
  );
});
