import { parseArgs } from 'node:util';
import type { Observation } from '../../../ground/records/observation.ts';
import { isOverTcp } from '../../../ground/records/protocol.ts';
import { attemptsOf } from '../../../runner/bench/attempts.ts';
import { fixed, printRow } from '../../../runner/bench/harness/table.ts';
import { isSetUp } from '../../../runner/machine.ts';
import { STACKS } from '../../../servers/index.ts';
import { median } from '../../../statistics/median.ts';
import { theilSen } from '../../../statistics/theil-sen.ts';
import { pageLoad } from '../experiment.ts';

// Slope in round trips of the first byte of a small document over the round-trip time in Chromium, by every stack that is set
// up: QUIC takes two, TLS 1.3 on TCP three; the intercept is the work of browser and server.
const { values } = parseArgs({
  options: {
    stacks: { type: 'string' },
    rtt: { type: 'string', default: '0,20,50,100' },
    repetitions: { type: 'string', default: '12' },
  },
});
const selected = values.stacks?.split(',');
const chosen = STACKS.filter(
  (stack) =>
    (selected?.includes(stack.stack) ?? true) && isSetUp(stack) && stack.protocol !== 'http/1.0',
);
const missing = STACKS.filter((stack) => !isSetUp(stack)).map(({ stack }) => stack);
if (missing.length > 0) console.log(`Not set up: ${missing.join(', ')}`);

const attempts = await attemptsOf(pageLoad, [
  ...['--sites', 'www.example.org', '--stacks', chosen.map(({ stack }) => stack).join()],
  ...['--rtt', values.rtt, '--repetitions', values.repetitions],
]);
console.log(`\nFirst byte over round-trip times of ${values.rtt} ms`);
printRow(['stack', 'ok', 'slope', 'expected', 'intercept ms', 'without delay ms']);
for (const { stack, protocol } of chosen) {
  const own = attempts.filter(({ arm }) => arm === stack);
  const ok = own.filter(({ outcome }) => outcome === 'ok');
  const line = theilSen(ok.map((each) => [each.network.rttMs, firstByteMs(each)]));
  const still = ok.filter(({ network }) => network.rttMs === 0).map(firstByteMs);
  printRow([
    stack,
    `${ok.length} of ${own.length}`,
    line === null ? '-' : fixed(line.slope, 2),
    isOverTcp(protocol) ? '3.00' : '2.00',
    line === null ? '-' : fixed(line.intercept),
    still.length === 0 ? '-' : fixed(median(still)),
  ]);
}

function firstByteMs({ metrics }: Observation): number {
  return metrics.firstByteMs ?? Number.NaN;
}
