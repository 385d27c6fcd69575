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

test('counts goodput from when the first byte could be there, and nothing by byte for an empty file', () => {
  assert.equal(numbers().goodputKbps, (8 * 100_000) / 100);
  const empty = numbers({ bodyBytes: 0 });
  assert.equal(empty.goodputKbps, null);
  assert.equal(empty.totalMs, 160);
  assert.equal(empty.cpuNsPerByte, undefined);
});

test('keeps the earlier times of an unfinished transfer, without a total and a goodput', () => {
  const cut = numbers({ error: { code: 'cut-off', reason: 'closed' } });
  assert.deepEqual([cut.connectMs, cut.firstByteMs], [40, 60]);
  assert.deepEqual([cut.totalMs, cut.goodputKbps], [undefined, undefined]);
});

test('has exact processor time if the kernel reports it, and per byte only if both ends are known', () => {
  const exact = numbers();
  assert.deepEqual([exact.clientCpuMs, exact.serverCpuMs, exact.contextSwitches], [1, 2, 7]);
  assert.equal(exact.cpuNsPerByte, 30);
  const coarse = numbers({}, null);
  assert.deepEqual([coarse.clientCpuMs, coarse.serverCpuMs], [10, null]);
  assert.deepEqual([coarse.cpuNsPerByte, coarse.contextSwitches], [undefined, null]);
});

test("counts packets in both directions, lost by chance or dropped, and the sender's last count of retransmissions", () => {
  const { packets, lostPackets, retransmittedPackets } = numbers();
  assert.deepEqual([packets, lostPackets, retransmittedPackets], [110, 3, 4]);
});

test('has exactly the metrics of a whole transfer among its numbers', () => {
  const names = TRANSFER_METRICS.map(({ name }) => name);
  assert.deepEqual(Object.keys(numbers()).toSorted(), names.toSorted());
});
