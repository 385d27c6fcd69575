import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransferResult } from '../../../../clients/transfer-client.ts';
import { TRANSFER_METRICS } from '../../metrics.ts';
import { numbersOf } from '../../numbers.ts';

const MADE: TransferResult = {
  requestedAtMs: 5,
  connectMs: 40,
  firstByteMs: 60,
  lastByteMs: 160,
  bodyBytes: 100_000,
  series: [],
  error: null,
  keyLog: '',
};

const NONE = { packets: 0, bytes: 0, lost: 0, queueDrops: 0 };

function numbers(
  made: Partial<TransferResult> = {},
  processor: Parameters<typeof numbersOf>[0]['processor'] = {
    clientCpuMs: 1,
    serverCpuMs: 2,
    contextSwitches: 7,
  },
) {
  const path = {
    toServer: { ...NONE, packets: 40, lost: 1 },
    toClient: { ...NONE, packets: 70, queueDrops: 2 },
  };
  const steps = { sender: [{ lostPackets: 1 }, { lostPackets: 4 }], link: null, occupation: null };
  const machine = { clientCpuMs: 10, serverCpuMs: null };
  return numbersOf({ made: { ...MADE, ...made }, machine, path, processor, steps } as never, 20);
}

test('goodput counts from when the first byte could be there, and an empty file has nothing by byte', () => {
  assert.equal(numbers().goodputKbps, (8 * 100_000) / 100);
  const empty = numbers({ bodyBytes: 0 });
  assert.equal(empty.goodputKbps, null);
  assert.equal(empty.totalMs, 160);
  assert.equal(empty.cpuNsPerByte, undefined);
});

test('a transfer that came to no end has the times before it, and neither a total nor a goodput', () => {
  const cut = numbers({ error: { code: 'cut-off', reason: 'closed' } });
  assert.deepEqual([cut.connectMs, cut.firstByteMs], [40, 60]);
  assert.deepEqual([cut.totalMs, cut.goodputKbps], [undefined, undefined]);
});

test('processor time is exact where the kernel tells it, by the byte only where both ends are known', () => {
  const exact = numbers();
  assert.deepEqual([exact.clientCpuMs, exact.serverCpuMs, exact.contextSwitches], [1, 2, 7]);
  assert.equal(exact.cpuNsPerByte, 30);
  const coarse = numbers({}, null);
  assert.deepEqual([coarse.clientCpuMs, coarse.serverCpuMs], [10, null]);
  assert.deepEqual([coarse.cpuNsPerByte, coarse.contextSwitches], [undefined, null]);
});

test('packets are those of both ways, lost by chance or dropped; what was sent again is the last count of the sender', () => {
  const { packets, lostPackets, retransmittedPackets } = numbers();
  assert.deepEqual([packets, lostPackets, retransmittedPackets], [110, 3, 4]);
});

test('every metric of a whole transfer is among its numbers, and nothing else', () => {
  const names = TRANSFER_METRICS.map(({ name }) => name);
  assert.deepEqual(Object.keys(numbers()).toSorted(), names.toSorted());
});
