import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement } from '../../../../network/calibration/calibrate.ts';
import type { SeededCondition } from '../../../../network/conditions.ts';
import { calibrationOf, conditionOf } from '../../../../test/unit/network/calibration/example.ts';
import { proofLines } from '../../proof.ts';

function proof(
  condition: Partial<SeededCondition>,
  parts: Partial<Measurement> = {},
  late: string | null = null,
): readonly string[] {
  const { rttMs = 0 } = condition;
  return proofLines({ ...calibrationOf(rttMs, parts), late }, conditionOf(condition));
}

test('prints configured and measured properties of a path', () => {
  assert.deepEqual(proof({ rttMs: 30, lossPercent: 1 }, { udpProbesLost: 2 }), [
    'The path: 30 ms round-trip time added, 1 % loss each way.',
    '  round trip  configured 30 ms, measured over UDP 30.00 ms (29.90 to 31.00), over TCP 30.00 ms (29.90 to 31.00)',
    '  one way     configured 15 ms, measured to the server 15.00 ms (14.90 to 16.00), to the client 15.00 ms (14.90 to 16.00)',
    '  rate down   no limit',
    '  rate up     no limit',
    '  loss        configured 1 % in each direction, measured 2 of 50 probes lost, too few probes to verify it: 1 expected losses',
    '  emulator    a link in user space, with real-time priority',
  ]);
});

test('prints a rate limit with the measured rate, for a recorded link with its mean', () => {
  const trace = { name: 'train', meanKbps: 6000 } as SeededCondition['trace'];
  const lines = proof({ trace, upKbps: 1500 }, { downKbps: 5990, upKbps: null });
  assert.ok(
    lines.includes(
      '  rate down   configured 6.00 Mbit/s on average, as a constant rate, measured 5.99 Mbit/s',
    ),
    lines.join('\n'),
  );
  assert.ok(
    lines.includes('  rate up     configured 1.50 Mbit/s, measured too little data'),
    lines.join('\n'),
  );
});

test('prints the result for UDP with its own treatment', () => {
  const datagrams = { sent: 20, packets: 0, kbps: null, offeredKbps: 0 };
  const both = { toServer: datagrams, toClient: datagrams };
  const rejected = { treatment: 'rejected', kbps: null } as const;
  const output = proof(
    { udp: rejected },
    { udp: { ...rejected, ...both, refusal: 'EHOSTUNREACH', tcpKbps: null } },
  );
  assert.ok(
    output.includes(
      '  UDP         configured rejected, measured: 0 of 40 datagrams arrived, senders received EHOSTUNREACH',
    ),
    output.join('\n'),
  );
  const throttled = { treatment: 'throttled', kbps: 500 } as const;
  const slow = { sent: 40, packets: 30, kbps: 495, offeredKbps: 750 };
  const lines = proof(
    { udp: throttled },
    { udp: { ...throttled, toServer: slow, toClient: slow, refusal: null, tcpKbps: 20_000 } },
  );
  assert.ok(
    lines.includes(
      '  UDP         configured 500 kbit/s in each direction, measured 495 kbit/s down, 495 kbit/s up; TCP at the same time 20.0 Mbit/s',
    ),
    lines.join('\n'),
  );
});

test('reports loss without a seed', () => {
  const lines = proof({}, { backend: 'netem', linkPriority: null, isSeeded: false });
  assert.match(lines.join(), /netem, .*; its loss and jitter have no seed/);
});

test('reports netem, and a late machine', () => {
  const lines = proof({}, { backend: 'netem', linkPriority: null }, 'The path was late.');
  assert.deepEqual(lines.slice(-2), [
    '  emulator    netem, the network emulator of the kernel',
    '  The path was late.',
  ]);
});
