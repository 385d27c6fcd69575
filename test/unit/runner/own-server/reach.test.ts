import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { stackNamed } from '../../../../experiments/stacks.ts';
import { UPLINK_ADDRESS } from '../../../../network/uplink.ts';
import { reachesOf } from '../../../../runner/own-server/reach.ts';
import { ownStack } from '../../../../servers/own-stack.ts';

async function reachOf(url: string) {
  return (await reachesOf([ownStack('mine-h2', 'h2', { url })])).get(url);
}

test("reaches loopback at the machine's end of the uplink, where a server for all addresses listens", async () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '0.0.0.0']) {
    assert.deepEqual(
      await reachOf(`https://${host}:8443`),
      { ip: UPLINK_ADDRESS, port: 8443, isHere: true },
      host,
    );
  }
});

test('reaches an address where it is, here or elsewhere, at 443 by default', async () => {
  const elsewhere = await reachOf('https://198.51.100.7');
  assert.deepEqual(elsewhere, { ip: '198.51.100.7', port: 443, isHere: false });
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  if (own) assert.equal((await reachOf(`https://${own.address}:1`))?.isHere, true);
});

test('does not look up stacks that the run starts', async () => {
  const stack = stackNamed('bun-h2');
  assert.ok(stack);
  const started = ownStack('mine-h2', 'h2', { program: '/srv/start.sh' });
  assert.equal((await reachesOf([stack, started])).size, 0);
});

test('rejects IPv6, which the path lacks, with the remedy', async () => {
  await assert.rejects(reachOf('https://[2001:db8::1]:8443'), {
    name: 'ServerError',
    message: /mine-h2 at .*IPv4.*localhost/,
  });
});
