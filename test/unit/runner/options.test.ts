import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { armOf } from '../../../experiments/arms.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { choiceLines } from '../../../ground/options/common.ts';
import type { Presets } from '../../../ground/options/preset.ts';
import { LIVE_NETWORK } from '../../../ground/records/network.ts';
import { UsageError } from '../../../ground/system/errors.ts';
import { NAMED_CONDITIONS } from '../../../network/conditions.ts';
import * as options from '../../../runner/options.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';
import { fixtureRun } from '../report/fixture-run.ts';
import { MADE_UP_H1, withMadeUpStacks } from '../servers/made-up-stacks.ts';

const PRESETS: Presets = {
  classic: {
    of: 'page-load',
    about: 'old ways',
    options: {
      sites: 'published',
      rtt: '0,30',
      repetitions: '10',
      'sub-resources': 'missing',
      initcwnd: 'stock',
    },
  },
  many: { of: 'page-load', about: 'a series', options: null },
};

/** Options separated by spaces. */
const readOptions = (words = '') =>
  options.readOptions(words.split(' ').filter(Boolean), pageLoad, PRESETS);

function assertRefused(words: string, ...parts: RegExp[]): void {
  assert.throws(
    () => readOptions(words),
    (error) => {
      assert.ok(error instanceof UsageError);
      for (const part of parts) assert.match(error.message, part);
      return true;
    },
  );
}

test('defaults to the quick set, all stacks and the documented numbers', () => {
  const options = readOptions();
  assert.ok(options.subjects.length >= 4 && options.subjects.length <= 8);
  assertEach(options.stacks, ({ stack }) => stack, ['lsquic-h3', 'bun-h2', 'flask-h1']);
  const { repetitions, timeoutS, out } = options;
  assert.deepEqual({ repetitions, timeoutS, out }, { repetitions: 60, timeoutS: 30, out: null });
});

test('stops repetitions by a rule unless their number is given', () => {
  const stoppingOf = (words = '') => readOptions(words).stopping;
  const two = '--stacks lsquic-h3,bun-h2 --sites www.iana.org';
  const rule = { rule: 'pocock-spending', alpha: 0.05, budgetMs: 270_000, blocksPerLook: 4 };
  assert.deepEqual(stoppingOf(two), rule);
  assert.deepEqual(stoppingOf(`${two} --rtt 30`), { ...rule, blocksPerLook: 2 });
  assert.deepEqual(stoppingOf(`${two} --repetitions auto`), rule);
  assert.equal(stoppingOf(`${two} --control`)?.blocksPerLook, 6, 'the control has its turn too');
  assert.equal(stoppingOf(`${two} --budget 90s`)?.budgetMs, 90_000);
  const fixed = readOptions(`${two} --repetitions 7 --budget 90s`);
  assert.deepEqual([fixed?.repetitions, fixed?.stopping], [7, null]);
  assert.equal(fixed?.invocation.budgetMs, 90_000);
});

test('extends the usual budget of a plan that is too large for it to include the first look', () => {
  const sites = '--sites published --network none,30ms,dsl';
  const options = readOptions(sites);
  // 30 sites x 3 stacks x 3 conditions x 18 blocks x 800 ms, in whole minutes.
  assert.equal(options?.stopping?.budgetMs, Math.ceil((30 * 3 * 3 * 18 * 0.8) / 60) * 60_000);
  assert.equal(readOptions(`${sites} --budget 2m`).stopping?.budgetMs, 120_000);
});

test('rejects a stopping rule when stacks are measured one after the other', () => {
  assertRefused('--order sequential', /auto .* and --order sequential.*Give a number/);
  assert.ok(readOptions('--order sequential --repetitions 5'));
});

test('draws a seed that is not given', () => {
  const seeds = Array.from({ length: 8 }, () => readOptions().seed);
  assert.ok(new Set(seeds).size > 1);
  assert.ok(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31));
  assert.equal(readOptions('--seed 0').seed, 0);
});

test('resolves published to the 30 sites of the published results', () => {
  assert.equal(readOptions('--sites published').subjects.length, 30);
});

test('loads a site once that is named by a set and by name', () => {
  const sites = readOptions('--sites www.iana.org,quick,www.iana.org').subjects;
  assert.equal(sites[0], 'www.iana.org');
  assert.equal(new Set(sites).size, sites.length);
});

test('reads sites from a file, together with named ones', (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'my-sites.txt');
  writeFileSync(file, '# mine\nwww.iana.org\nwww.example.org # small\n');
  assert.deepEqual(readOptions(`--sites www.360.cn,@${file}`).subjects, [
    'www.360.cn',
    'www.iana.org',
    'www.example.org',
  ]);
  assertRefused(`--sites @${folder}/none.txt`, /none\.txt cannot be read/);
});

test('rejects an unknown stack and lists the valid ones', () => {
  assertRefused('--stacks lsquic-h3,nginx', /nginx/, /lsquic-h3, bun-h2, flask-h1/);
});

test('rejects an unknown option and lists the valid ones', () => {
  assertRefused('--rept 3', /--rept/, /--repetitions/);
});

test('rejects a stray argument', () => {
  assertRefused('www.iana.org', /www\.iana\.org/, /--sites/);
});

test('rejects invalid and out-of-range numbers with the range', () => {
  for (const text of ['0', '1001', '-3', '2.5', 'many', '']) {
    assertRefused(`--repetitions=${text}`, /--repetitions/, /auto, or .* 1 to 1000/);
  }
  assertRefused('--timeout=0', /--timeout 0/, /1 to 3600/);
  assertRefused('--seed=x', /--seed x/);
  for (const text of ['foo', '4095', '1e6']) {
    assertRefused(`--receive-buffer=${text}`, /matched, stock, or bytes as .* 4096 to 1073741824/);
  }
});

test("accepts a receive buffer that matches Chromium's QUIC, the kernel's own, or a number of bytes", () => {
  const bytesOf = (words = '') => readOptions(words).choices.receiveBufferBytes;
  assert.equal(bytesOf(), 31_457_280);
  assert.equal(bytesOf('--receive-buffer matched'), 31_457_280);
  assert.equal(bytesOf('--receive-buffer stock'), null);
  assert.equal(bytesOf('--receive-buffer 65536'), 65536);
});

test('rejects an empty name in a list', () => {
  assertRefused('--sites www.iana.org,', /--sites/);
  assertRefused('--stacks=', /--stacks/);
});

test('defaults to networks with and without 30 ms added', () => {
  const networks = readOptions().networks ?? [];
  assert.deepEqual(
    networks.map(({ name, rttMs, downKbps, lossPercent }) => ({
      name,
      rttMs,
      downKbps,
      lossPercent,
    })),
    [
      { name: 'none', rttMs: 0, downKbps: null, lossPercent: 0 },
      { name: '30ms', rttMs: 30, downKbps: null, lossPercent: 0 },
    ],
  );
});

test('makes each round-trip time a condition, with all the given numbers', () => {
  const args = '--rtt 20,100 --down 5000 --up 1000 --loss 0.5 --jitter 2';
  const networks = readOptions(`${args} --burst-loss 0.4,33`).networks;
  assert.deepEqual(networks?.[1], {
    name: '100ms-down5000-up1000-loss0.5-jitter2-burst0.4-33',
    rttMs: 100,
    downKbps: 5000,
    upKbps: 1000,
    lossPercent: 0.5,
    jitterMs: 2,
    burstLoss: { enterPercent: 0.4, leavePercent: 33 },
  });
  assert.equal(networks?.length, 2);
});

test('replaces the default by named networks, and combines them with numbers when both are given', () => {
  const names = (words: string) => readOptions(words).networks.map(({ name }) => name);
  assert.deepEqual(names('--network dsl,3g'), ['dsl', '3g']);
  assert.deepEqual(names('--network none,lte --rtt 0,50'), ['none', 'lte', '50ms']);
});

const RECORDED = { down: 'network/traces/cellular.down', up: 'network/traces/cellular.up' };

test('makes each recorded link a condition named after its file, and returns each file once', () => {
  const { networks, traces } = readOptions(
    `--rtt 0,40 --loss 1 --trace-up ${RECORDED.up} --trace ${RECORDED.down},${RECORDED.up}`,
  );
  assertEach(
    networks,
    ({ name }) => name,
    ['', '40ms-'].flatMap((delay) =>
      ['down', 'up'].map(
        (direction) => `${delay}trace-cellular.${direction}-trace-up-cellular.up-loss1`,
      ),
    ),
  );
  const { trace, traceUp, downKbps, upKbps } = networks[0] ?? assert.fail();
  assert.deepEqual([downKbps, upKbps], [null, null]);
  const { sha256, ...down } = trace ?? assert.fail();
  assert.match(sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(
    { ...down, meanKbps: Math.round(down.meanKbps) },
    { name: 'cellular.down', meanKbps: 6000, durationMs: 29_999 },
  );
  assert.equal(traceUp?.name, 'cellular.up');
  assertEach(traces, ({ name, bytes }) => [name, bytes.length > 20_000], [
    ['cellular.down', true],
    ['cellular.up', true],
  ]);
  assert.ok(!('trace' in (readOptions('--rtt 30').networks[0] ?? {})));
});

test('rejects a recorded link as a rate, and requires a round trip for a queue in bandwidth-delay products', () => {
  assertRefused(`--trace ${RECORDED.down} --down 1000`, /--trace and --down do not go together/);
  assertRefused(`--trace-up ${RECORDED.up} --up 1000`, /--trace-up and --up do not go/);
  assertRefused(`--network dsl --trace ${RECORDED.down}`, /--trace and --network/);
  const queue = `--trace ${RECORDED.down} --queue-bdp 0.05 --rtt`;
  assertRefused(`${queue} 0`, /--rtt 0: the bandwidth-delay product without delay/);
  assertRefused(`${queue} 30`, /--rtt 30 and 6000 kbit\/s down: a queue of 1126 bytes has no room/);
  assert.equal(readOptions(`${queue} 100`).networks[0]?.queueBdp, 0.05);
});

test('makes each queue in multiples of the bandwidth-delay product a condition', () => {
  const path = '--rtt 30 --down 10000';
  const networks = readOptions(`${path} --queue-bdp 0.5,2`).networks;
  assertEach(networks, ({ name, queueBdp }) => [name, queueBdp], [
    ['30ms-down10000-queue0.5', 0.5],
    ['30ms-down10000-queue2', 2],
  ]);
  assert.ok(!('queueBdp' in (readOptions(path).networks[0] ?? {})));
});

test('makes each loss a condition', () => {
  const { networks } = readOptions('--rtt 30 --loss 0,2');
  assertEach(networks, ({ name, lossPercent }) => [name, lossPercent], [
    ['30ms', 0],
    ['30ms-loss2', 2],
  ]);
  assertRefused('--loss 1,1', /--loss 1,1/);
});

test('rejects a queue that can hold nothing, with the remedy', () => {
  const queue = (words: string) => `${words} --queue-bdp 0.5`;
  assertRefused(queue('--rtt 30'), /without a rate/, /--down 10000/);
  assertRefused(queue('--rtt 0 --down 10000'), /--rtt 0/, /--rtt 30/);
  assertRefused(queue('--rtt 1 --down 10000'), /625 bytes/, /two packets \(3028 bytes\)/);
  assertRefused(queue('--rtt 30 --down 10000 --offloads on'), /131098 bytes/);
  assertRefused(queue('--network dsl'), /--queue-bdp/, /--rtt/);
});

test('rejects contradictory network options with what is expected', () => {
  assertRefused('--network dialup', /dialup/, /satellite/);
  assertRefused('--network dsl --loss 1', /--loss/, /--rtt/);
  assertRefused('--rtt=-5', /--rtt -5/, /0 to 10000/);
  assertRefused('--rtt 10 --jitter 6', /--jitter 6/, /half/);
  assertRefused('--down 0', /--down 0/);
  assertRefused('--loss 80', /--loss 80/, /0 to 50/);
  assertRefused('--burst-loss 1', /--burst-loss 1/, /two/);
  assertRefused('--network-backend dummynet', /dummynet/, /auto, netem, userspace/);
  assertRefused('--initcwnd 10', /--initcwnd 10/, /stock, matched/);
});

test("accepts the initial window of lsquic, or the kernel's own", () => {
  const windowOf = (words = '') => readOptions(words).choices.initialWindowSegments;
  assert.equal(windowOf(), 32);
  assert.equal(windowOf('--initcwnd matched'), 32);
  assert.equal(windowOf('--initcwnd stock'), null);
  assert.equal(windowOf('--preset classic'), null);
});

test('accepts Cubic as congestion control, or what every stack of the run has', () => {
  const controlOf = (words = '') => readOptions(words).choices.congestionControl;
  assert.equal(controlOf(), 'cubic');
  assert.equal(controlOf('--cc bbr'), 'bbr');
  assert.equal(controlOf('--cc reno --stacks bun-h2,flask-h1'), 'reno');
  assertRefused('--cc reno', /--cc reno/, /lsquic-h3 .* cubic and bbr/);
  assert.equal(controlOf('--cc matched'), 'cubic');
  assertRefused('--cc vegas', /vegas/, /cubic, bbr, reno, matched/);
});

test('repeats a stack as a control under another label, next to it; alone it repeats the baseline', () => {
  const stacks = (words = '') => readOptions(words).stacks.map(({ stack }) => stack);
  assert.deepEqual(stacks('--control --seed 3'), [
    'lsquic-h3',
    'bun-h2',
    'bun-h2-control',
    'flask-h1',
  ]);
  assert.deepEqual(stacks('--stacks lsquic-h3 --control'), ['lsquic-h3', 'lsquic-h3-control']);
  const options = readOptions('--control flask-h1');
  const control = options?.stacks.find(({ controlOf }) => controlOf !== undefined);
  assert.equal(control?.controlOf, 'flask-h1');
  assert.ok(control?.program?.endsWith('servers/flask-h1/server.py'));
  assertRefused('--stacks bun-h2 --control flask-h1', /flask-h1/, /bun-h2/);
});

test('selects HTTP/2 as baseline if it is loaded, else the first stack, unless one is requested', () => {
  const baseline = (words = '') => readOptions(words).analysis.baseline;
  assert.equal(baseline(), 'bun-h2');
  assert.equal(baseline('--stacks flask-h1,lsquic-h3'), 'flask-h1');
  assert.equal(baseline('--baseline flask-h1'), 'flask-h1');
  assertRefused('--stacks bun-h2 --baseline flask-h1', /flask-h1/, /bun-h2/);
  assert.equal(readOptions('--margin 2.5').analysis.marginPercent, 2.5);
  assertRefused('--margin 0', /--margin 0/, /0.1 to 50/);
});

test('makes cold visits by default', () => {
  assert.deepEqual(readOptions().factors, { visit: ['cold'] });
  assert.deepEqual(readOptions('--visit resumed,cold,resumed').factors, {
    visit: ['resumed', 'cold'],
  });
  assertRefused('--visit warm', /warm/, /cold, repeat, resumed/);
});

test('defaults shared properties of stacks to small and own, with a context per load', () => {
  assert.deepEqual(readOptions().choices, {
    origins: 'own',
    certificateChain: 'small',
    keyExchange: 'x25519',
    deterministicPages: 'recorded',
    thinkTime: 'off',
    isolation: 'context',
    warmUps: 3,
    initialWindowSegments: 32,
    congestionControl: 'cubic',
    subResources: 'served',
    document: 'recorded',
    tlsMost: '1.3',
    mtuBytes: 1500,
    offloads: 'off',
    receiveBufferBytes: 31_457_280,
    order: 'shuffled',
    keepSecrets: false,
    packets: 'none',
    qlogs: false,
    tcpInfoMs: null,
    netLogs: false,
    hars: 'all',
    compressHars: false,
  });
  const other = readOptions('--coalesce --cert-chain realistic --isolation process --pin');
  assert.equal(other?.choices.origins, 'shared');
  assert.equal(other?.choices.certificateChain, 'realistic');
  assert.equal(other?.choices.isolation, 'process');
  assert.equal(other?.pin, true);
  assertRefused('--cert-chain huge', /huge/, /small, realistic/);
});

test('requires a stack that can send a document as it was saved', () => {
  assertRefused('--document as-saved', /no stack of this run.*--stacks/);
  const words = ['--document', 'as-saved', '--stacks', MADE_UP_H1.stack];
  const { choices } = options.readOptions(words, withMadeUpStacks(pageLoad));
  assert.equal(choices.document, 'as-saved');
});

test('lets explicit options override a preset, in any order', () => {
  assertRefused('--preset modern', /modern/, /expected one of classic, many\./);
  assert.equal(readOptions().preset, null);
  const classic = readOptions('--repetitions 3 --preset classic --rtt 0');
  assert.equal(classic?.preset, 'classic');
  assert.equal(classic?.repetitions, 3);
  assertEach(classic?.networks, ({ name }) => name, ['none']);
  assert.equal(classic?.choices.subResources, 'missing');
  assert.equal(classic?.subjects.length, 30);
});

test('reads the instant and the length of a cut, and names both', () => {
  const given = '--rtt 30 --event none,rebind@500ms,cut@5000ms/3000ms';
  const networks = readOptions(given)?.networks.map(({ name, event }) => [name, event]);
  assert.deepEqual(networks, [
    ['30ms', undefined],
    ['30ms-rebind500', { kind: 'rebind', atMs: 500 }],
    ['30ms-cut5000-3000', { kind: 'cut', atMs: 5000, lastsMs: 3000 }],
  ]);
  const wrong = ['cut@500ms', 'cut@500ms/0ms', 'rebind@500ms/10ms', 'cut@500/10', 'cut@0ms/4000s'];
  for (const event of [...wrong, 'cut@3600001ms/1ms', 'cut@1ms/3600001ms']) {
    assert.throws(() => readOptions(`--event ${event}`), { message: /^--event / }, event);
  }
});

test('gives every named network plain numbers and a source', () => {
  assertEach(NAMED_CONDITIONS, ({ name }) => name, [
    ...['none', '30ms', 'fiber', 'dsl', 'cable', 'lte', '3g', 'satellite'],
    ...['lossy-wireless', 'wireless-bursts'],
    ...['random-loss', 'burst-loss', 'udp-blocked', 'udp-rejected', 'udp-throttled'],
  ]);
  assert.ok(NAMED_CONDITIONS.every(({ source, rttMs }) => source.length > 10 && rttMs >= 0));
});

test('suggests the intended name for a typo', () => {
  for (const [args, meant] of [
    ['--repetition 3', '--repetitions'],
    ['--stacks bun-h3', 'bun-h2'],
    ['--network satelite', 'satellite'],
    ['--preset clasic', 'classic'],
    ['--order shufled', 'shuffled'],
  ] as const) {
    assert.throws(
      () => readOptions(args),
      (error) => error instanceof UsageError && error.message.includes(`Did you mean ${meant}?`),
      args,
    );
  }
});

test('makes qlogs from captures only', () => {
  assert.equal(readOptions('--packets median --qlog').choices.qlogs, true);
  assertRefused('--qlog', /--qlog goes with --packets WHICH/);
  assertRefused('--qlog --packets none', /captures none/, /--packets median/);
});

test('samples TCP_INFO at an interval in ms, or never', () => {
  assert.equal(readOptions('--tcp-info 5').choices.tcpInfoMs, 5);
  assert.equal(readOptions().choices.tcpInfoMs, null);
  for (const wrong of ['0', '1001', '2.5', 'often']) {
    assertRefused(`--tcp-info ${wrong}`, /--tcp-info/, /from 1 to 1000/);
  }
});

test('loads live pages by HTTP/3 and HTTP/2, at most 20 times, with pauses, each in its own browser', () => {
  const given = { live: '', via: 'h3,h2,h1.1', pause: '10s' };
  const { live, subjects, stacks, networks, repetitions, stopping, choices, analysis } =
    options.optionsOf({ given, operands: ['www.example.org'] }, pageLoad, {});
  assert.deepEqual(
    live?.map(({ subject, url }) => [subject, url]),
    [['www.example.org', 'https://www.example.org/']],
  );
  assert.deepEqual(subjects, []);
  assertEach(stacks, ({ stack, protocol }) => [stack, protocol], [
    ['h3', 'h3'],
    ['h2', 'h2'],
    ['h1.1', 'http/1.1'],
  ]);
  assert.deepEqual(networks, [LIVE_NETWORK]);
  assert.equal(repetitions, 20);
  assert.ok(stopping && stopping.budgetMs > 3 * 10 * 10_000);
  assert.equal(analysis.baseline, 'h2');
  const { livePages, isolation, deterministicPages, receiveBufferBytes } = choices;
  assert.equal(receiveBufferBytes, null);
  assert.deepEqual(
    [livePages, isolation, deterministicPages],
    [{ pauseMs: 10_000 }, 'process', 'none'],
  );
});

test('rejects options that live pages cannot have, and pages without --live', () => {
  const refused: [Record<string, string>, string[], RegExp][] = [
    [{ live: '', rtt: '30' }, ['a.test'], /--live and --rtt do not go together/],
    [{ live: '', visit: 'repeat' }, ['a.test'], /--live and --visit do not go together/],
    [{ live: '', via: 'quic' }, ['a.test'], /--via quic: expected one of h3, h2, h1\.1/],
    [{ live: '' }, [], /--live: which pages\?/],
    [{}, ['a.test'], /add --live/],
    [{ live: '', via: 'h3,h4' }, ['a.test'], /--via h4: expected one of h3, h2, h1\.1\./],
    [{ via: 'h3' }, [], /--via goes with --live/],
    [{ pause: '1s' }, [], /--pause goes with --live/],
  ];
  for (const [given, operands, why] of refused) {
    assert.throws(
      () => options.optionsOf({ given, operands }, pageLoad, {}),
      { name: 'UsageError', message: why },
      why.source,
    );
  }
});

test('accepts a list for every dimension, and makes every combination a condition', () => {
  const namesOf = (words = '') => readOptions(words).networks.map(({ name }) => name);
  assert.deepEqual(namesOf('--rtt 30 --jitter 0,5 --burst-loss none,0.4/33,1/25'), [
    '30ms',
    '30ms-burst0.4-33',
    '30ms-burst1-25',
    '30ms-jitter5',
    '30ms-jitter5-burst0.4-33',
    '30ms-jitter5-burst1-25',
  ]);
  assert.deepEqual(namesOf('--rtt 30 --down 5000,10000 --up 1000,2000'), [
    '30ms-down5000-up1000',
    '30ms-down5000-up2000',
    '30ms-down10000-up1000',
    '30ms-down10000-up2000',
  ]);
  assert.deepEqual(namesOf('--network none,dsl --cc cubic,bbr'), [
    'none-cc-cubic',
    'none-cc-bbr',
    'dsl-cc-cubic',
    'dsl-cc-bbr',
  ]);
  assert.deepEqual(namesOf('--rtt 30 --receive-buffer stock,65536 --mtu 1500,1280'), [
    '30ms-buffer-stock-mtu1500',
    '30ms-buffer-stock-mtu1280',
    '30ms-buffer65536-mtu1500',
    '30ms-buffer65536-mtu1280',
  ]);
  assertRefused('--burst-loss 0.4/33,0.4/33', /0\.4\/33 stands twice/);
  assertRefused('--burst-loss 0.4', /expected two percentages/);
  assertRefused('--rtt 0,30 --jitter 0,5', /--jitter 5 with --rtt 0/);
});

test('applies one congestion control, initial window, buffer or MTU to the run, and several to conditions', () => {
  const one = readOptions('--rtt 30 --cc bbr --initcwnd stock');
  assertEach(one.networks, ({ name }) => name, ['30ms']);
  assert.equal(one.choices.congestionControl, 'bbr');
  assert.ok(one.stacks.every(({ under }) => under === undefined));

  const several = readOptions('--rtt 30 --cc bbr,cubic --initcwnd stock,matched');
  const { choices, stacks, networks } = several;
  assert.equal(choices.congestionControl, 'bbr');
  assert.equal(choices.initialWindowSegments, null);
  assert.deepEqual(
    networks.map(({ congestionControl, initialWindow }) => [congestionControl, initialWindow]),
    [
      ['bbr', 'stock'],
      ['bbr', 'matched'],
      ['cubic', 'stock'],
      ['cubic', 'matched'],
    ],
  );
  const underOf = (name: string) => stacks.find(({ stack }) => stack === name)?.under;
  assert.deepEqual(underOf('bun-h2'), {
    '30ms-cc-bbr-initcwnd-stock': {},
    '30ms-cc-bbr-initcwnd-matched': { initialWindowSegments: 32 },
    '30ms-cc-cubic-initcwnd-stock': { congestionControl: 'cubic' },
    '30ms-cc-cubic-initcwnd-matched': { congestionControl: 'cubic', initialWindowSegments: 32 },
  });
  assert.deepEqual(underOf('lsquic-h3'), {
    '30ms-cc-bbr-initcwnd-stock': {},
    '30ms-cc-bbr-initcwnd-matched': {},
    '30ms-cc-cubic-initcwnd-stock': { congestionControl: 'cubic' },
    '30ms-cc-cubic-initcwnd-matched': { congestionControl: 'cubic' },
  });
  assertRefused('--cc cubic,reno', /--cc reno: lsquic-h3 .* cubic and bbr/);
});

test('reports the requested settings of arms under each condition', () => {
  const { run } = fixtureRun({ repetitions: 1 });
  const saidOf = (words = '') => {
    const chosen = readOptions(`--rtt 30 --stacks lsquic-h3,bun-h2 ${words}`);
    const arms = chosen.stacks.map((stack) => armOf(stack, chosen));
    const { networks } = chosen;
    const choices = { ...run.choices, ...chosen.choices };
    const lines = new Map(
      choiceLines({ ...run, networks: [...networks], choices, arms }, pageLoad),
    );
    return [
      'Requested congestion control',
      'Requested initial window of TCP',
      'MTU of the path',
    ].map((name) => lines.get(name));
  };
  assert.deepEqual(saidOf('--cc bbr --mtu 1280'), ['bbr', '32 segments', '1,280 bytes']);
  assert.deepEqual(saidOf('--cc cubic,bbr --mtu 1500,1280').at(-1), '1,500 bytes, 1,280 bytes');
  assert.deepEqual(
    saidOf('--cc cubic,bbr --initcwnd stock')[0],
    'over 30ms-cc-cubic cubic; over 30ms-cc-bbr bbr',
  );
});
