import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armsByTransport } from '../../../experiments/arms.ts';
import { allStacks } from '../../../experiments/stacks.ts';
import type { CongestionControl } from '../../../ground/records/congestion-control.ts';
import { bun } from '../../../ground/runtimes/bun.ts';
import type { Runtime } from '../../../ground/runtimes/runtime.ts';
import { controlOf, inBrowser, type Stack } from '../../../ground/stack.ts';
import { QUIC_WINDOW_BYTES } from '../../../network/receive-window.ts';
import { commonSettings, withSettings } from '../../../runner/arm-settings.ts';
import { bunH2 } from '../../../servers/bun-h2/stack.ts';
import { flaskH1 } from '../../../servers/flask-h1/stack.ts';
import { lsquicH3 } from '../../../servers/lsquic-h3/stack.ts';
import { ownStack } from '../../../servers/own-stack.ts';

/** A program of three protocols with its own QUIC transport. */
function program(
  name: string,
  congestionControls: CongestionControl[],
  initialWindowPackets: number,
): Stack[] {
  const runtime: Runtime = { ...bun, name };
  const overTcp = (protocol: 'h2' | 'http/1.1', stack: string) =>
    ({ ...bunH2, stack, protocol, runtime }) satisfies Stack;
  const h2 = overTcp('h2', `${name}-h2`);
  const transport = {
    congestionControls,
    initialWindowPackets,
    initialWindowPacketBytes: 1280,
    reportsSamples: false,
    senders: {},
  };
  return [
    { ...h2, stack: `${name}-h3`, protocol: 'h3', tcpTwin: h2, transport },
    h2,
    overTcp('http/1.1', `${name}-h1`),
  ];
}

const RENO = program('reno', ['reno'], 32);
const SMALL = program('small', ['reno', 'cubic'], 10);
const KNOWN = [...allStacks(), ...RENO, ...SMALL];
/** A stack over TCP of the same runtime that is not a twin. */
const BUN_H1: Stack = { ...bunH2, stack: 'bun-http1', protocol: 'http/1.1' };
const EVERY: readonly Stack[] = [lsquicH3, bunH2, BUN_H1, flaskH1, ...RENO, ...SMALL];

type SettingsOptions = Parameters<typeof withSettings>[1];

function settingsBy(options: Partial<SettingsOptions>, stacks: readonly Stack[] = EVERY) {
  const values = { cc: null, initcwnd: 'stock', receiveBuffer: 'matched', ...options } as const;
  const set = withSettings(stacks, values, KNOWN);
  return Object.fromEntries(
    set.flatMap(({ stack, settings }) => (settings ? [[stack, settings]] : [])),
  );
}

test('defaults to Cubic for a transport that has it, else its first, and to Cubic for TCP', () => {
  assert.deepEqual(settingsBy({}), { 'reno-h3': { congestionControl: 'reno' } });
  assert.equal(commonSettings({ cc: null, initcwnd: 'stock' }).congestionControl, 'cubic');
});

test('matches the receive buffer of TCP to the QUIC of another browser', () => {
  const stacks = [lsquicH3, bunH2].map((stack) => inBrowser(stack, 'firefox'));
  assert.deepEqual(settingsBy({}, stacks), {
    'bun-h2~firefox': { receiveBufferBytes: 2 * QUIC_WINDOW_BYTES.firefox },
  });
  assert.deepEqual(settingsBy({ receiveBuffer: 'stock' }, stacks), {});
  assert.deepEqual(settingsBy({}, [inBrowser(bunH2, 'beta')]), {});
});

test("matches the congestion control of TCP and of the program's other protocols to the QUIC twin", () => {
  const reno = { congestionControl: 'reno' };
  const expected = { 'reno-h3': reno, 'reno-h2': reno, 'reno-h1': reno };
  assert.deepEqual(settingsBy({ cc: 'matched' }), expected);
  assert.equal(commonSettings({ cc: 'matched', initcwnd: 'stock' }).congestionControl, 'cubic');
});

test('applies a named congestion control to all stacks, and rejects one that a transport lacks', () => {
  assert.equal(commonSettings({ cc: 'reno', initcwnd: 'stock' }).congestionControl, 'reno');
  assert.deepEqual(settingsBy({ cc: 'reno' }, [...RENO, ...SMALL, bunH2]), {});
  assert.throws(() => settingsBy({ cc: 'reno' }), /lsquic-h3 .* cubic and bbr\..* omit --cc/);
  assert.throws(() => settingsBy({ cc: 'cubic' }, RENO), /--cc cubic: reno-h3 .* supports reno\./);
});

test('matches the initial window of TCP to the QUIC twin or its program, else to the default transport', () => {
  const small = { initialWindowSegments: 10 };
  assert.deepEqual(settingsBy({ initcwnd: 'matched', cc: 'bbr' }, [lsquicH3, bunH2, flaskH1]), {});
  assert.deepEqual(settingsBy({ initcwnd: 'matched' }), {
    'reno-h3': { congestionControl: 'reno' },
    'small-h2': small,
    'small-h1': small,
  });
  const common = commonSettings({ cc: null, initcwnd: 'matched' });
  assert.equal(common.initialWindowSegments, lsquicH3.transport.initialWindowPackets);
});

test('matches a stack over TCP to its twin even if that is not in the run', () => {
  const [, h2] = SMALL as [Stack, Stack];
  assert.deepEqual(settingsBy({ initcwnd: 'matched' }, [h2]), {
    'small-h2': { initialWindowSegments: 10 },
  });
});

test("gives a stack with both versions of HTTP its own transport and TCP, each with its kind's settings", () => {
  const both = (stacks: readonly Stack[]): Stack[] =>
    stacks.slice(0, 1).map((quic) => ({ ...quic, stack: 'both', protocol: 'h2+h3' }));
  assert.deepEqual(settingsBy({}, both(RENO)), { both: { quicCongestionControl: 'reno' } });
  assert.deepEqual(settingsBy({ cc: 'matched' }, both(RENO)), {
    both: { congestionControl: 'reno' },
  });
  assert.deepEqual(settingsBy({ initcwnd: 'matched', cc: 'cubic' }, both(SMALL)), {
    both: { initialWindowSegments: 10 },
  });
  assert.throws(() => settingsBy({ cc: 'bbr' }, both(RENO)), /--cc bbr: both .* supports reno\./);
});

test('gives a control and a differently requested stack the settings of their stack', () => {
  const [, h2] = SMALL as [Stack, Stack];
  const arms = [controlOf(h2), ...armsByTransport([h2], ['tls1.2'])];
  assert.deepEqual(settingsBy({ initcwnd: 'matched' }, arms), {
    'small-h2-control': { initialWindowSegments: 10 },
    'small-h2-tls1.2': { initialWindowSegments: 10 },
  });
});

test("requests nothing from a user's own QUIC server, because the result cannot be verified", () => {
  const url = 'https://10.0.0.1:443';
  const mine = [ownStack('mine-h3', 'h3', { url }), ownStack('mine-h2', 'h2', { url })];
  for (const cc of [null, 'reno'] as const) {
    assert.deepEqual(settingsBy({ cc, initcwnd: 'matched' }, mine), {});
  }
});

test("rejects matching TCP to a user's own QUIC server, whose congestion control is not known before", () => {
  const own = ownStack('own-h2', 'h2', { program: '/a' });
  assert.throws(() => settingsBy({ cc: 'matched' }, [own]), /of own-h2 .*only known once it runs/);
  assert.deepEqual(settingsBy({ cc: 'reno' }, [own]), {});
});
