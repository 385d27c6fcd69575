import type { Observation } from '../../../ground/records/observation.ts';
import { isOverTcp } from '../../../ground/records/protocol.ts';
import type { Stack } from '../../../ground/stack.ts';
import { attemptsOf } from '../../../runner/bench/attempts.ts';
import { readOptions } from '../../../runner/bench/harness/options.ts';
import { fixed, printRow } from '../../../runner/bench/harness/table.ts';
import { isSetUp } from '../../../runner/machine.ts';
import { STACKS } from '../../../servers/index.ts';
import { median } from '../../../statistics/median.ts';
import { theilSen } from '../../../statistics/theil-sen.ts';
import { pageLoad } from '../experiment.ts';

const values = readOptions(
  'Prints the slope of the first byte of a small document over the round-trip time, in round trips. QUIC takes two, TLS 1.3 on TCP three. The intercept is the work of browser and server. Without --stacks: every stack that is set up. --server measures a program of yours: --stacks own-h3,own-h2 --server ./start.sh. --browser selects browsers: chromium,firefox',
  {
    stacks: { type: 'string' },
    server: { type: 'string' },
    browser: { type: 'string' },
    rtt: { type: 'string', default: '0,20,50,100' },
    repetitions: { type: 'string', default: '12' },
  },
);
const isReady = (stack: Stack) => isSetUp(stack) && stack.protocol !== 'http/1.0';
const stacks = values.stacks ?? STACKS.flatMap((each) => (isReady(each) ? each.stack : [])).join();
const missing = STACKS.filter((stack) => !isSetUp(stack)).map(({ stack }) => stack);
if (missing.length > 0) console.log(`Not set up: ${missing.join(', ')}`);

const attempts = await attemptsOf(pageLoad, [
  ...['--sites', 'www.example.org', '--stacks', stacks],
  ...(values.server === undefined ? [] : ['--server', values.server]),
  ...(values.browser === undefined ? [] : ['--browser', values.browser]),
  ...['--rtt', values.rtt, '--repetitions', values.repetitions],
]);
console.log(`\nFirst byte over round-trip times of ${values.rtt} ms`);
printRow([
  'stack',
  'ok',
  'slope',
  'expected',
  'intercept ms',
  'without delay ms',
  'between loads ms',
]);
const betweenMs = betweenLoadsMs(attempts);
for (const [stack, own] of Map.groupBy(attempts, ({ arm }) => arm)) {
  const ok = own.filter(({ outcome }) => outcome === 'ok');
  const line = theilSen(ok.map((each) => [each.network.rttMs, firstByteMs(each)]));
  const still = ok.filter(({ network }) => network.rttMs === 0).map(firstByteMs);
  printRow([
    stack,
    `${ok.length} of ${own.length}`,
    line === null ? '-' : fixed(line.slope, 2),
    isOverTcp(own[0]?.protocol ?? 'h3') ? '3.00' : '2.00',
    line === null ? '-' : fixed(line.intercept),
    still.length === 0 ? '-' : fixed(median(still)),
    fixed(median(betweenMs.get(stack) ?? [])),
  ]);
}

/** Time from the start of each load to the start of the next one, beyond its page load time, by arm. */
function betweenLoadsMs(loads: readonly Observation[]): Map<string, number[]> {
  const inOrder = loads.toSorted((a, b) => startMs(a) - startMs(b));
  const found = new Map<string, number[]>();
  for (const [index, load] of inOrder.entries()) {
    const next = inOrder[index + 1];
    const { pageLoadMs } = load.metrics;
    if (!next || typeof pageLoadMs !== 'number') continue;
    const own = found.get(load.arm) ?? [];
    found.set(load.arm, [...own, startMs(next) - startMs(load) - pageLoadMs]);
  }
  return found;
}

function startMs({ startedAt }: Observation): number {
  return Date.parse(startedAt);
}

function firstByteMs({ metrics }: Observation): number {
  return metrics.firstByteMs ?? Number.NaN;
}
