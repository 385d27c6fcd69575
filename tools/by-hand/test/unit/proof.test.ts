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

test('a path is told with what was asked of it and what it was found to be', () => {
  assert.deepEqual(proof({ rttMs: 30, lossPercent: 1 }, { udpProbesLost: 2 }), [
    'The path: 30 ms round-trip time added, 1 % loss each way.',
    '  round trip  asked 30 ms, found over UDP 30.00 ms (29.90 to 31.00), over TCP 30.00 ms (29.90 to 31.00)',
    '  one way     asked 15 ms, found to the server 15.00 ms (14.90 to 16.00), to the client 15.00 ms (14.90 to 16.00)',
    '  rate down   no limit',
    '  rate up     no limit',
    '  loss        asked 1 % each way, found 2 of 50 probes lost there or back, which are too few to show it: 1 would be lost on average',
    '  made by     a link in user space, with real-time priority',
  ]);
});

test('a limited rate is told with what was found, that of a recorded link as its mean', () => {
  const trace = { name: 'train', meanKbps: 6000 } as SeededCondition['trace'];
  const lines = proof({ trace, upKbps: 1500 }, { downKbps: 5990, upKbps: null });
  assert.ok(
    lines.includes(
      '  rate down   asked 6.00 Mbit/s on average, as a constant rate, found 5.99 Mbit/s',
    ),
    lines.join('\n'),
  );
  assert.ok(
    lines.includes('  rate up     asked 1.50 Mbit/s, found too little to tell'),
    lines.join('\n'),
  );
});

test('what became of UDP is told where it was asked for', () => {
  const datagrams = { sent: 20, packets: 0, kbps: null, offeredKbps: 0 };
  const both = { toServer: datagrams, toClient: datagrams };
  const rejected = { treatment: 'rejected', kbps: null } as const;
  const told = proof(
    { udp: rejected },
    { udp: { ...rejected, ...both, refusal: 'EHOSTUNREACH', tcpKbps: null } },
  );
  assert.ok(
    told.includes(
      '  UDP         asked rejected, found: 0 of 40 datagrams arrived, senders were told EHOSTUNREACH',
    ),
    told.join('\n'),
  );
  const throttled = { treatment: 'throttled', kbps: 500 } as const;
  const slow = { sent: 40, packets: 30, kbps: 495, offeredKbps: 750 };
  const lines = proof(
    { udp: throttled },
    { udp: { ...throttled, toServer: slow, toClient: slow, refusal: null, tcpKbps: 20_000 } },
  );
  assert.ok(
    lines.includes(
      '  UDP         asked 500 kbit/s each way, found 495 kbit/s down, 495 kbit/s up; TCP beside it 20.0 Mbit/s',
    ),
    lines.join('\n'),
  );
});

test('a path whose losses have no seed says so', () => {
  const lines = proof({}, { backend: 'netem', linkPriority: null, isSeeded: false });
  assert.match(lines.join(), /netem, .*; its losses and jitter have no seed/);
});

test('a path of netem, and a machine that was late, are told', () => {
  const lines = proof({}, { backend: 'netem', linkPriority: null }, 'The path was late.');
  assert.deepEqual(lines.slice(-2), [
    '  made by     netem, the network emulator of the kernel',
    '  The path was late.',
  ]);
});
