import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sockets } from '../../../../experiments/sockets/experiment.ts';
import { rendered } from '../../../../test/unit/experiments/rendered.ts';
import { delays, type MadeArm, madeRun } from '../../../../test/unit/made-run.ts';
import { viewOf as viewOfRun } from '../../../../test/unit/report/reported.ts';
import { dresdenSection } from '../../section.ts';

type Marks = readonly (readonly [event: string, message: number | null, atMs: number])[];

function eventsOf(marks: Marks) {
  return marks.map(([event, message, atMs]) => ({ event, message, atMs }));
}

/** An exchange whose every part takes the round trips of its protocol; the work on a handshake takes 3 ms by QUIC and 2 ms by TLS. */
function exchangeOf(protocol: 'quic' | 'tls', rttMs: number) {
  const isQuic = protocol === 'quic';
  const sentMs = isQuic ? rttMs + 3 : 2 * rttMs + 2;
  const arrivedMs = sentMs + rttMs / 2;
  const backMs = arrivedMs + rttMs / 2;
  return {
    client: eventsOf([
      ['requested', null, 0],
      ['sent', 1, sentMs],
      ['messageEnd', 1, backMs],
    ]),
    server: eventsOf([
      ['session', null, isQuic ? rttMs / 2 : 1.5 * rttMs],
      ['secure', null, arrivedMs],
      ['data', 1, arrivedMs],
      ['messageEnd', 1, arrivedMs],
      ['streamEnd', isQuic ? 1 : null, isQuic ? arrivedMs : backMs + rttMs / 2],
      ['socketClose', null, backMs + rttMs / 2 + 1],
    ]),
  };
}

const ARMS: readonly MadeArm[] = [
  { arm: 'socket-quic', protocol: 'quic' },
  { arm: 'socket-tls', protocol: 'tls' },
];

const viewOf = ({
  rttsMs = [0, 10, 20, 50],
  preset = 'dresden' as string | null,
  withoutQuic = false,
} = {}) =>
  viewOfRun(
    madeRun(sockets, {
      subjects: ['www.example.org'],
      networks: delays(...rttsMs),
      arms: withoutQuic ? ARMS.slice(1) : ARMS,
      repetitions: 6,
      analysis: { baseline: 'socket-tls', marginPercent: 5, metric: 'handshakeMs' },
      preset,
      attempt: ({ arm: { protocol }, network }) => ({
        network: { ...network, backend: 'userspace', measuredRttMs: network.rttMs },
        metrics: { closeMs: protocol === 'quic' ? network.rttMs / 2 : network.rttMs },
        details: exchangeOf(protocol as 'quic' | 'tls', network.rttMs),
      }),
    }),
  );

/** Published and measured, without intervals. */
function numbersOf(view: ReturnType<typeof viewOf>): string[][] {
  const rows = rendered(dresdenSection, view).rowsOf('Published, and measured');
  return rows
    .filter((row) => row.length > 1)
    .map(([, published = '', measured = '']) => [
      published,
      /^(?:–|−?[\d,]+\.(?:\d ms|\d\d))/.exec(measured)?.[0] ?? measured,
    ]);
}

test('takes one round trip for both handshakes as timed in the study, and one and two until the message is sent', () => {
  assert.deepEqual(numbersOf(viewOf()).slice(0, 8), [
    ['1.06', '1.00'],
    ['1.11', '1.00'],
    ['1.01', '1.00'],
    ['2.12', '2.00'],
    ['–', '1.50'],
    ['–', '2.50'],
    ['–', '2.00'],
    ['–', '3.00'],
  ]);
});

test("shows that TCP's lead over QUIC with 50 ms reverses once TCP's own handshake is in the time", () => {
  assert.deepEqual(numbersOf(viewOf()).slice(8, 10), [
    ['8.0 ms', '1.0 ms'],
    ['−42.2 ms', '−49.0 ms'],
  ]);
});

test('separates the end of a stream from the message, and keeps the seconds of a close', () => {
  assert.deepEqual(numbersOf(viewOf()).slice(10), [
    ['1.03', '0.00'],
    ['0.02', '1.00'],
    ['–', '0.00'],
    ['–', '0.00'],
    ['216.2 ms', '–'],
    ['5.2 ms', '–'],
    ['10,016.2 ms', '51.0 ms'],
    ['5.2 ms', '1.0 ms'],
    ['–', '25.0 ms'],
    ['–', '50.0 ms'],
  ]);
});

test('leaves open what a run did not measure', () => {
  const measured = numbersOf(viewOf({ rttsMs: [10] })).map(([, number]) => number);
  assert.deepEqual(new Set(measured), new Set(['–']));
  assert.deepEqual(numbersOf(viewOf({ withoutQuic: true })), []);
});

test('is omitted for runs of other presets', () => {
  assert.equal(dresdenSection.isShown?.(viewOf({ preset: null })), false);
});
