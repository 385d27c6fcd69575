import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { transportDifferences } from '../../ground/records/like-for-like.ts';
import { readRun } from '../../ground/records/read.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { isSetUp, setUpCommand } from '../../runner/machine.ts';
import { STACKS } from '../../servers/index.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { type Command, startBenchmark } from './command.ts';
import { assertNoProcessLeft, assertNoUplinkLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';
import { SITE, withRunning } from './running-servers.ts';
import { DUAL, LACKS_DUAL } from './stacks-by-protocol.ts';
import { assertStatusOf } from './whole-run.ts';

/** Stacks that offer both versions of HTTP at one address. */
const BOTH = STACKS.filter(({ protocol }) => protocol === 'h2+h3');

async function loadsOf(command: Command, out: string): Promise<PageLoad[]> {
  const status = await command.ended;
  await assertNoProcessLeft(command);
  const { pageLoads } = await readPageLoads(out);
  assertStatusOf(pageLoads, status, command.output());
  return pageLoads;
}

function connectionsOf(loads: readonly PageLoad[], arm: string) {
  return loads
    .filter((load) => load.arm === arm && load.outcome === 'ok')
    .flatMap(({ connections }) => connections?.opened ?? []);
}

for (const origins of ['own', 'shared'] as const) {
  test(
    `has separate addresses for servers with both versions, at port 443, with ${origins} addresses of hosts`,
    { skip: LACKS_DUAL },
    (t) =>
      withTemporaryFolder(async (temporary) => {
        const leftOut = BOTH.filter((stack) => !isSetUp(stack)).map(({ stack }) => stack);
        if (leftOut.length > 0) t.diagnostic(`left out: ${leftOut}. Run: ${setUpCommand(leftOut)}`);
        const both = BOTH.filter(isSetUp).map(({ stack }) => stack);
        const out = path.join(temporary, 'run');
        const command = startBenchmark([
          ...['--sites', 'www.wikipedia.org', '--rtt', '10', '--repetitions', '1'],
          ...['--stacks', [...both, 'bun-h2'].join(), '--control', DUAL],
          ...['--visit', 'cold,discovered', '--warm-ups', '1', '--out', out],
          ...(origins === 'shared' ? ['--coalesce'] : []),
        ]);
        const loads = await loadsOf(command, out);
        const addressesOf = (arm: string) =>
          new Set(connectionsOf(loads, arm).map(({ address }) => address));
        const seen = [...both, `${DUAL}-control`].map(addressesOf);
        for (const addresses of seen) {
          assert.ok(addresses.size > 0);
          for (const address of addresses) assert.match(address, /:443$/);
        }
        const otherAddresses = addressesOf('bun-h2');
        for (const address of otherAddresses) assert.doesNotMatch(address, /:443$/);
        const all = [...seen, otherAddresses].flatMap((addresses) => [...addresses]);
        assert.equal(new Set(all).size, all.length, 'two servers have one address');
        if (origins === 'shared') for (const addresses of seen) assert.equal(addresses.size, 1);

        const { fairness } = await readRun(out);
        const pair = fairness.pairs.find(({ a, b }) => a === DUAL && b === 'bun-h2');
        assert.ok(pair);
        const differences = transportDifferences(pair);
        assert.ok(differences?.differing.includes('response order'), JSON.stringify(differences));
        assert.deepEqual(differences?.unknown, []);
      }),
  );
}

describe('an existing server with both versions', {
  skip: process.getuid?.() !== 0 && 'only root may make a device of the machine',
}, () => {
  afterEach(assertNoUplinkLeft);
  const start = (port: number, out: string) =>
    startBenchmark([
      ...['--sites', SITE, '--stacks', `mine-dual=https://localhost:${port}`],
      ...['--visit', 'cold,discovered', '--repetitions', '2', '--warm-ups', '0'],
      ...['--rtt', '10', '--out', out],
    ]);

  test(
    'is loaded by HTTP/2, and by HTTP/3 once advertised, though it listens at another port',
    { skip: LACKS_DUAL },
    () =>
      withTemporaryFolder((temporary) =>
        withRunning(DUAL, {}, async (port) => {
          const out = path.join(temporary, 'run');
          const loads = await loadsOf(start(port, out), out);
          for (const [visit, transport] of [
            ['cold', 'tcp'],
            ['discovered', 'quic'],
          ] as const) {
            const own = loads.filter(({ factors }) => factors.visit === visit);
            const opened = connectionsOf(own, 'mine-dual');
            assert.ok(
              opened.some((each) => each.transport === transport),
              visit,
            );
          }
        }),
      ),
  );

  test('is rejected if it speaks only one of them', () =>
    withTemporaryFolder((temporary) =>
      withRunning('bun-h2', {}, async (port) => {
        const command = start(port, path.join(temporary, 'run'));
        assert.equal(await command.ended, EXIT.server, command.output());
        assert.match(command.output(), /mine-dual at .*over UDP.*speaks h2.*configure it for h3/s);
      }),
    ));
});
