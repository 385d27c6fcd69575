import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCertificates } from '../../certs/certificates.ts';
import { planSha256 } from '../../ground/records/plan-digest.ts';
import { readRun } from '../../ground/records/read.ts';
import type { ArmSettings, PlanRecord } from '../../ground/records/run.ts';
import { readTcpSamples } from '../../ground/records/tcp-sample.ts';
import { addressOfHost } from '../../network/addresses.ts';
import type { PathAgent } from '../../network/agent.ts';
import { kernelCongestionControls } from '../../network/kernel-congestion-control.ts';
import { withNetwork } from '../../network/network.ts';
import { readMachine } from '../../runner/machine.ts';
import { withServers } from '../../runner/servers.ts';
import { bunH2 } from '../../servers/bun-h2/stack.ts';
import { MATCHED_TRANSPORT } from '../../servers/index.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { conditionOf } from '../unit/network/calibration/example.ts';
import { startBenchmark } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { readPageLoads } from './page-loads.ts';
import { writeFixtureSite } from './site-fixture.ts';
import { assertStatusOf } from './whole-run.ts';
import { withRun } from './with-run.ts';

/** Linux has both wherever it has TCP; user namespaces may use Reno. */
const OTHER = { congestionControl: 'reno', initialWindowSegments: 10 } as const;
const hasOther = kernelCongestionControls()?.includes(OTHER.congestionControl) ?? false;
const skip = hasOther ? false : `TCP of this kernel has no ${OTHER.congestionControl}`;

/** A plan in which arms have settings of their own. */
async function freezePlan(
  planFile: string,
  options: string,
  settings: Readonly<Record<string, ArmSettings>>,
): Promise<void> {
  const freeze = startBenchmark([
    ...['--stacks', 'lsquic-h3,bun-h2', '--control', 'bun-h2', '--warm-ups', '0'],
    ...options.split(' '),
    ...['--freeze', planFile],
  ]);
  assert.equal(await freeze.ended, 0, freeze.output());
  const { planSha256: _, ...plan } = JSON.parse(await readFile(planFile, 'utf8')) as PlanRecord;
  const arms = plan.arms.map((each) => {
    const own = settings[each.arm];
    return own ? { ...each, settings: own } : each;
  });
  const changed = { ...plan, arms };
  await writeFile(planFile, JSON.stringify({ ...changed, planSha256: planSha256(changed) }));
}

/**
 * For a load over TCP: the first window of its connection, and the most in flight as long as it was
 * that. A window that was sampled late, after an acknowledgement, may have grown.
 */
async function firstFlight(
  file: string,
): Promise<{ window: number; flight: number; isLate: boolean }> {
  const samples = await Array.fromAsync(readTcpSamples(file));
  const [first] = samples;
  assert.ok(first, `${file} is empty`);
  const own = samples.filter(
    ({ client, cwndSegments }) => client === first.client && cwndSegments === first.cwndSegments,
  );
  return {
    window: first.cwndSegments,
    flight: Math.max(...own.map(({ unackedSegments }) => unackedSegments)),
    isLate: first.ackedBytes > 1,
  };
}

const hasBbr = kernelCongestionControls()?.includes('bbr') ?? false;

test(
  "shares the blocks of a run among congestion controls and initial windows, with each load's own condition",
  { skip: hasBbr ? false : 'TCP of this kernel has no bbr' },
  () =>
    withRun(
      `benchmark --sites www.wikipedia.org --stacks lsquic-h3,bun-h2 --rtt 50 --tcp-info 1
       --cc cubic,bbr --initcwnd matched,stock --repetitions 2 --warm-ups 0`,
      async ({ out, observations: pageLoads }) => {
        const matched = MATCHED_TRANSPORT.initialWindowPackets;
        const { fairness } = await readRun(out);
        const readings = Object.entries(fairness.under ?? {}).map(([name, arms]) => [
          name,
          ...['lsquic-h3', 'bun-h2'].flatMap((arm) => [
            arms[arm]?.congestionControl?.value,
            arms[arm]?.initialWindowPackets?.value,
          ]),
        ]);
        assert.deepEqual(readings, [
          ['50ms-cc-cubic-initcwnd-matched', 'cubic', matched, 'cubic', matched],
          ['50ms-cc-cubic-initcwnd-stock', 'cubic', matched, 'cubic', 10],
          ['50ms-cc-bbr-initcwnd-matched', 'bbr', matched, 'bbr', matched],
          ['50ms-cc-bbr-initcwnd-stock', 'bbr', matched, 'bbr', 10],
        ]);
        const logs = (await readdir(path.join(out, 'logs'))).filter((file) => /lsquic/.test(file));
        assert.deepEqual(logs.sort(), [
          'www.wikipedia.org.lsquic-h3.bbr.log',
          'www.wikipedia.org.lsquic-h3.cubic.log',
        ]);

        const right = new Set<string>();
        for (const { id, arm, network, outcome, files } of pageLoads) {
          if (arm !== 'bun-h2' || outcome !== 'ok') continue;
          const { window, isLate } = await firstFlight(path.join(out, files.tcpInfo ?? ''));
          const expected = network.initialWindow === 'stock' ? 10 : matched;
          assert.ok(window === expected || (isLate && window > expected), `${id}: ${window}`);
          if (window === expected) right.add(network.name);
        }
        assert.equal(right.size, 4, [...right].join());
      },
    ),
);

test('gives two arms over TCP in one block their own first flights, in every load', { skip }, () =>
  withTemporaryFolder(async (temporary) => {
    const [planFile, out] = [path.join(temporary, 'plan.json'), path.join(temporary, 'run')];
    await freezePlan(
      planFile,
      // The document alone fills either window.
      '--sites www.wikipedia.org --rtt 150 --repetitions 2 --tcp-info 1',
      // Like an arm whose QUIC twin begins differently.
      { 'bun-h2-control': OTHER },
    );
    const command = startBenchmark(['--plan', planFile, '--out', out]);
    const status = await command.ended;
    await assertNoProcessLeft(command);

    const { fairness } = await readRun(out);
    const readings = ['bun-h2', 'bun-h2-control'].map((arm) => fairness.readings[arm]);
    const read = readings.map((own) => [
      own?.congestionControl?.value,
      own?.initialWindowPackets?.value,
    ]);
    const matched = MATCHED_TRANSPORT.initialWindowPackets;
    assert.deepEqual(read, [
      ['cubic', matched],
      [OTHER.congestionControl, OTHER.initialWindowSegments],
    ]);
    const pair = fairness.pairs.find(({ a, b }) => a === 'lsquic-h3' && b === 'bun-h2-control');
    const differing = [
      'congestion control (cubic against reno)',
      'initial window (32 packets against 10 packets)',
      'window growth (per packet even when unused against per packet when half used)',
      'back-off after a loss (to 0.8 against to 0.5)',
    ].join(', ');
    assert.ok(pair?.sentence.startsWith(`not like for like: ${differing}, `), pair?.sentence);

    const { pageLoads } = await readPageLoads(out);
    assertStatusOf(pageLoads, status, command.output());
    const overTcp = pageLoads.filter(({ outcome, arm }) => outcome === 'ok' && arm !== 'lsquic-h3');
    const most: Record<string, number> = {};
    for (const { id, arm, files } of overTcp) {
      const expected = arm === 'bun-h2' ? matched : OTHER.initialWindowSegments;
      const { window, flight, isLate } = await firstFlight(path.join(out, files.tcpInfo ?? ''));
      if (isLate && window > expected) continue;
      assert.equal(window, expected, id);
      assert.ok(flight <= window, `${id}: ${flight} segments`);
      most[arm] = Math.max(most[arm] ?? 0, flight);
    }
    // On a busy machine a server may be late with a part of its flight, or the sample of it.
    assert.deepEqual(most, {
      'bun-h2': matched,
      'bun-h2-control': OTHER.initialWindowSegments,
    });
  }),
);

test("gives arms shared origins and the kernel's own receive buffer next to arms without", () =>
  withTemporaryFolder(async (temporary) => {
    const [planFile, out] = [path.join(temporary, 'plan.json'), path.join(temporary, 'run')];
    // A page with nine hosts.
    await freezePlan(planFile, '--sites www.wsj.com --rtt 10 --repetitions 1', {
      'lsquic-h3': { origins: 'shared' },
      'bun-h2-control': { origins: 'shared', receiveBufferBytes: null },
    });
    const command = startBenchmark(['--plan', planFile, '--out', out]);
    const status = await command.ended;
    await assertNoProcessLeft(command);
    const { pageLoads } = await readPageLoads(out);
    assertStatusOf(pageLoads, status, command.output());
    for (const { arm, outcome, connections } of pageLoads) {
      if (outcome !== 'ok') continue;
      const opened = connections?.opened.length ?? 0;
      assert.ok(arm === 'bun-h2' ? opened >= 9 : opened === 1, `${arm}: ${opened} connections`);
    }
    const { fairness } = await readRun(out);
    const windows = ['bun-h2', 'bun-h2-control'].map(
      (arm) => fairness.readings[arm]?.clientReceiveWindowBytes?.value,
    );
    assert.deepEqual(windows, [15_728_640, 65_536]);
  }));

test(
  'applies TCP settings to new connections of a listening server, and not to existing ones',
  { skip },
  () =>
    withTemporaryFolder(async (folder) => {
      const host = 'www.settings.test';
      const siteFolder = path.join(folder, 'site');
      await writeFixtureSite(siteFolder, [
        { url: `https://${host}/`, type: 'document', body: 'x' },
      ]);
      const certsFolder = await ensureCertificates(
        [host],
        { chain: 'small', origins: 'own' },
        path.join(folder, 'certs'),
      );
      const machine = readMachine();
      const options = {
        python: machine.python,
        hosts: 1,
        congestionControl: 'cubic',
        initcwnd: 32,
      };
      await withNetwork({ ...options, backend: 'auto' }, async (networkPath) => {
        await networkPath.apply(conditionOf({}));
        const { agent } = networkPath;
        const here = {
          machine,
          siteFolder,
          certsFolder,
          stacks: [bunH2],
          site: 'site',
          addresses: { [host]: addressOfHost(0) },
          enter: agent.enter('server'),
          logsFolder: folder,
        };
        await withServers(here, async ([server]) => {
          const address = server?.origins[host] ?? '';
          const usual = await connect(address, agent);
          await networkPath.setTcp({ congestionControl: 'reno', initcwnd: 10 });
          const other = await connect(address, agent);
          await networkPath.setTcp({});
          const again = await connect(address, agent);
          try {
            const shown = await connectionsOfServer(agent);
            const ofPorts = [usual, other, again].map(({ port }) => {
              const [, algorithm, cwnd] =
                new RegExp(`:${port}\\s+(\\w+) .*\\bcwnd:(\\d+)`).exec(shown) ?? [];
              return [algorithm, cwnd];
            });
            assert.deepEqual(
              ofPorts,
              [
                ['cubic', '32'],
                ['reno', '10'],
                ['cubic', '32'],
              ],
              shown,
            );
          } finally {
            for (const { end } of [usual, other, again]) await end();
          }
        });
      });
    }),
);

function connectionsOfServer(agent: PathAgent): Promise<string> {
  return agent.run('server', ['ss', '-H', '-t', '-i', '-n']);
}

/** Opens a connection at the client's end, waits until the server has it, and keeps it. */
async function connect(address: string, agent: PathAgent) {
  const [serverIp, serverPort] = address.split(':');
  // The kernel passes a connection to Bun when there is something to read: the first bytes of an
  // incomplete handshake.
  const program = `const socket = require('node:net').connect(${serverPort}, '${serverIp}', () => {
  socket.write(Buffer.from([22, 3, 1]), () => console.log(socket.localPort));
});
process.stdin.resume().on('end', () => process.exit());`;
  const [command = '', ...args] = [...agent.enter('client'), process.execPath, '-e', program];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const isThere = new RegExp(`:${port}\\s.*\\bcwnd:`);
  while (!isThere.test(await connectionsOfServer(agent))) await sleep(20);
  return {
    port,
    async end() {
      const ended = once(child, 'close');
      child.stdin.end();
      await ended;
    },
  };
}
