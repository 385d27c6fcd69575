import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandsOfEnd, type PathEnd } from '../../../network/addresses.ts';
import { makeEnd } from '../../../network/end.ts';
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
