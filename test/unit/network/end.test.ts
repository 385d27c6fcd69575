import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PathEnd } from '../../../network/addresses.ts';
import { mtuSetter, tcpSetter } from '../../../network/end.ts';
import { DEFAULT_PACKET_SIZES } from '../../../network/path.ts';
import { matchedReceiveBufferBytes } from '../../../network/receive-window.ts';

const CLIENT: PathEnd = {
  end: 'client',
  hosts: 1,
  congestionControl: 'cubic',
  initcwnd: null,
  ...DEFAULT_PACKET_SIZES,
};

const STOCK_BUFFERS = '4096\t131072\t6291456\n';

/**
 * A kernel with default receive buffers, which stores written values with tabs between, or only up
 * to a limit.
 */
function kernelKeeping(mostBytes = Infinity): (command: readonly string[]) => string {
  let buffers = STOCK_BUFFERS;
  return (command) => {
    const [, written] = /^net\.ipv4\.tcp_rmem=(.*)$/.exec(command.at(-1) ?? '') ?? [];
    const sizes = written?.trim().split(/\s+/).map(Number);
    if (sizes) buffers = `${sizes.map((size) => Math.min(size, mostBytes)).join('\t')}\n`;
    return command.includes('-n') ? buffers : '';
  };
}

/** Commands for the client's end, one change after the other, on kernels that store such receive buffers. */
async function commandsOf(
  changes: readonly Parameters<ReturnType<typeof tcpSetter>>[0][],
  made: Partial<Parameters<typeof tcpSetter>[1]> = {},
  mostBytes?: number,
) {
  const run: string[] = [];
  const kernels = { client: kernelKeeping(mostBytes), server: kernelKeeping(mostBytes) };
  const set = tcpSetter(
    {
      async run(namespace, command) {
        if (namespace === 'client') run.push(command.join(' '));
        return kernels[namespace as keyof typeof kernels](command);
      },
    },
    { congestionControl: 'cubic', initcwnd: 32, ...made },
  );
  for (const change of changes) await set(change);
  return run;
}

const WRITE = 'sysctl -q -w net.ipv4.';
const READ = 'sysctl -n net.ipv4.tcp_rmem';
const GROWS = `${WRITE}tcp_moderate_rcvbuf=1`;
const ROUTE = 'ip route replace 198.18.0.0/16 dev path0 congctl cubic initcwnd';

const begun = (receiveBufferBytes: number | null, mostBytes?: number) =>
  commandsOf([{}], { receiveBufferBytes }, mostBytes);

test("leaves the kernel's receive buffer alone unless one is requested", async () => {
  assert.deepEqual(await begun(null), []);
});

test('begins connections with the requested receive buffer, between the minimum and the maximum', async () => {
  const with8Mb = [READ, GROWS, `${WRITE}tcp_rmem=4096 8000000 8000000`, READ];
  assert.deepEqual(await begun(8_000_000), with8Mb);
  const [, , write] = await begun(1_048_576);
  assert.equal(write, `${WRITE}tcp_rmem=4096 1048576 6291456`);
});

test('rejects a receive buffer that the kernel limits', async () => {
  await assert.rejects(begun(matchedReceiveBufferBytes(), 6_291_456), {
    name: 'NetworkError',
    message: /expected "4096 31457280 31457280", the kernel has "4096 6291456 6291456"\. .* stock/,
  });
});

test("gives an arm the kernel's own receive buffer on a path with another", async () => {
  const commands = await commandsOf([{}, { receiveBufferBytes: null }, {}], {
    receiveBufferBytes: 8_000_000,
  });
  const written = commands.filter((command) => command.includes('tcp_rmem='));
  assert.deepEqual(
    written.map((command) => command.split('=')[1]),
    ['4096 8000000 8000000', '4096 131072 6291456', '4096 8000000 8000000'],
  );
});

test('sets a receive window on the route, with a buffer that has room for it and does not grow', async () => {
  assert.deepEqual(await commandsOf([{ receiveWindowBytes: 64_000 }]), [
    `${ROUTE} 32 window 64000`,
    READ,
    `${WRITE}tcp_moderate_rcvbuf=0`,
    `${WRITE}tcp_rmem=4096 256000 6291456`,
    READ,
  ]);
});

test('changes nothing of the path without a request', async () => {
  const commands = await commandsOf([{ initcwnd: 1000, receiveWindowBytes: 64_000 }, {}]);
  assert.deepEqual(commands.slice(-4), [
    `${ROUTE} 32`,
    GROWS,
    `${WRITE}tcp_rmem=4096 131072 6291456`,
    READ,
  ]);
});

test('replaces only a differing route, and leaves existing settings alone', async () => {
  const settings = { congestionControl: 'reno', initcwnd: 10 };
  const other = 'ip route replace 198.18.0.0/16 dev path0 congctl reno initcwnd 10';
  assert.deepEqual(await commandsOf([{}, settings, settings, {}, {}]), [other, `${ROUTE} 32`]);
});

test('sets everything again after a failed command', async () => {
  const run: string[] = [];
  let isBroken = true;
  const set = tcpSetter(
    {
      async run(_namespace, command) {
        run.push(command.join(' '));
        if (isBroken) throw new Error('the kernel does not take it');
        return command.includes('-n') ? STOCK_BUFFERS : '';
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

test("replaces the receive buffer per condition, and restores the kernel's own after it", async () => {
  const run: string[] = [];
  const [kernel, otherKernel] = [kernelKeeping(), kernelKeeping()];
  const agent = {
    async run(namespace: string, command: readonly string[]) {
      if (namespace === 'client' && command[0] === 'sysctl') run.push(command.slice(1).join(' '));
      return namespace === 'client' ? kernel(command) : otherKernel(command);
    },
  };
  const setTcp = tcpSetter(agent, CLIENT);
  await setTcp({ receiveBufferBytes: 65_536 });
  assert.equal(kernel(['sysctl', '-n']).trim().split('\t')[1], '65536');
  const before = run.length;
  await setTcp({ receiveBufferBytes: 65_536 });
  assert.equal(run.length, before, 'what is so already is not set');
  await setTcp({ receiveBufferBytes: null });
  assert.equal(kernel(['sysctl', '-n']).trim().split('\t')[1], '131072');
});

test('gives devices the MTU of a condition, and else that of the path', async () => {
  const run: string[] = [];
  const agent = {
    run: async (place: string, command: readonly string[]) => {
      run.push(`${place}: ${command.join(' ')}`);
      return '';
    },
  };
  const sizesUnder = mtuSetter(agent, DEFAULT_PACKET_SIZES, [['client', 'path0']]);
  assert.deepEqual(await sizesUnder({}), { mtuBytes: 1500, longestPacketBytes: 1500 });
  assert.deepEqual(await sizesUnder({ mtuBytes: 1280 }), {
    mtuBytes: 1280,
    longestPacketBytes: 1280,
  });
  await sizesUnder({ mtuBytes: 1280 });
  await sizesUnder({});
  assert.deepEqual(run, [
    'client: ip link set path0 mtu 1280',
    'client: ip link set path0 mtu 1500',
  ]);
});
