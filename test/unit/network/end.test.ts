import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandsOfEnd, type PathEnd } from '../../../network/addresses.ts';
import { makeEnd, tcpSetter } from '../../../network/end.ts';
import { USUAL_PACKETS } from '../../../network/path.ts';

const CLIENT: PathEnd = {
  end: 'client',
  hosts: 1,
  congestionControl: 'cubic',
  initcwnd: null,
  ...USUAL_PACKETS,
};

/** What a client's end is made by beside its usual commands, on a kernel with such receive buffers. */
async function buffersSet(receiveBufferBytes: number | null, kernels: string): Promise<string[]> {
  const run: string[] = [];
  await makeEnd(
    {
      async run(namespace, command) {
        assert.equal(namespace, 'client');
        run.push(command.join(' '));
        return command.includes('-n') ? kernels : '';
      },
    },
    { ...CLIENT, receiveBufferBytes },
  );
  const usual = commandsOfEnd(CLIENT).map((command) => command.join(' '));
  assert.deepEqual(run.slice(0, usual.length), usual);
  return run.slice(usual.length);
}

test("the kernel's receive buffer is left alone unless another is asked for", async () => {
  assert.deepEqual(await buffersSet(null, '4096\t131072\t6291456\n'), []);
});

test('a receive buffer asked for is what connections begin with, between the least and the most', async () => {
  const read = 'sysctl -n net.ipv4.tcp_rmem';
  const write = 'sysctl -q -w net.ipv4.tcp_rmem';
  const kernels = '4096\t131072\t6291456\n';
  assert.deepEqual(await buffersSet(1_048_576, kernels), [read, `${write}=4096 1048576 6291456`]);
  assert.deepEqual(await buffersSet(8_000_000, kernels), [read, `${write}=4096 8000000 8000000`]);
});

/** What both ends are told, one change after the other, on a kernel with such receive buffers. */
async function commandsOf(...changes: Parameters<ReturnType<typeof tcpSetter>>[0][]) {
  const run: string[] = [];
  const set = tcpSetter(
    {
      async run(namespace, command) {
        if (namespace === 'client') run.push(command.join(' '));
        return command.includes('-n') ? '4096\t131072\t6291456\n' : '';
      },
    },
    { congestionControl: 'cubic', initcwnd: 32 },
  );
  for (const change of changes) await set(change);
  return run;
}

const WRITE = 'sysctl -q -w net.ipv4.';
const READ = 'sysctl -n net.ipv4.tcp_rmem';
const ROUTE = 'ip route replace 10.89.0.0/16 dev path0 congctl cubic initcwnd';

test('a receive window is that of the route, and of a buffer that has room for it and does not grow', async () => {
  assert.deepEqual(await commandsOf({ receiveWindowBytes: 64_000 }), [
    `${ROUTE} 32 window 64000`,
    READ,
    `${WRITE}tcp_rmem=4096\t131072\t6291456`,
    `${WRITE}tcp_moderate_rcvbuf=0`,
    READ,
    `${WRITE}tcp_rmem=4096 256000 6291456`,
  ]);
});

test('without changes everything is as the path was made', async () => {
  const commands = await commandsOf({ initcwnd: 1000, receiveWindowBytes: 64_000 }, {});
  assert.deepEqual(commands.slice(-3), [
    `${ROUTE} 32`,
    `${WRITE}tcp_rmem=4096\t131072\t6291456`,
    `${WRITE}tcp_moderate_rcvbuf=1`,
  ]);
});

test('where only the route differs it alone is replaced, and what is set already is left alone', async () => {
  const others = { congestionControl: 'reno', initcwnd: 10 };
  const other = 'ip route replace 10.89.0.0/16 dev path0 congctl reno initcwnd 10';
  assert.deepEqual(await commandsOf({}, others, others, {}, {}), [other, `${ROUTE} 32`]);
});

test('after a command that failed everything is set, whatever it was', async () => {
  const run: string[] = [];
  let isBroken = true;
  const set = tcpSetter(
    {
      async run(_namespace, command) {
        run.push(command.join(' '));
        if (isBroken) throw new Error('the kernel does not take it');
        return command.includes('-n') ? '4096\t131072\t6291456\n' : '';
      },
    },
    { congestionControl: 'cubic', initcwnd: 32 },
  );
  await assert.rejects(set({ initcwnd: 10 }), /does not take it/);
  isBroken = false;
  run.length = 0;
  await set({});
  assert.equal(run.filter((command) => command.startsWith('ip route replace')).length, 2);
  assert.equal(run.filter((command) => command.endsWith('tcp_moderate_rcvbuf=1')).length, 2);
});
