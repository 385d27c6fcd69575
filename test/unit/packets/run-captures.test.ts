import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readPackets } from '../../../ground/records/read.ts';
import { runFolder } from '../../../ground/records/run-folder.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { readRunCaptures } from '../../../packets/run-captures.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { assertEach } from '../assert-each.ts';
import { fixtureRun, NONE, withRunFolder } from '../report/fixture-run.ts';
import { fakeCapture, useFakeTshark, usePath } from './fake-tshark.ts';
import { segment } from './made-packets.ts';

const CAPTURE = fakeCapture([
  segment(0, 'toServer', { flags: 'syn' }),
  segment(30, 'toClient', { flags: 'syn ack' }),
]);

/** A run of three loads with a capture each, and their ids. */
async function withCaptures(use: (folder: string, ids: string[]) => Promise<void>): Promise<void> {
  const fixture = fixtureRun({
    subjects: ['www.example.org'],
    networks: [NONE],
    repetitions: 1,
    warmups: false,
    change: (load) => {
      load.files = { ...load.files, packets: `packets/${load.id}.pcapng` };
    },
  });
  await withRunFolder(fixture, async (folder) => {
    await mkdir(runFolder(folder).packets);
    const ids = fixture.observations.map(({ id }) => id);
    for (const id of ids) await writeFile(captureOf(folder, id), CAPTURE);
    await use(folder, ids);
  });
}

function captureOf(folder: string, id: string): string {
  return path.join(runFolder(folder).packets, `${id}.pcapng`);
}

async function tablesOf(folder: string): Promise<Record<string, string[]>> {
  const { packetTable, connectionTable } = runFolder(folder);
  const [packets = [], connections = []] = await Promise.all(
    [packetTable, connectionTable].map(async (file) =>
      (await readFile(file, 'utf8'))
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0] ?? ''),
    ),
  );
  return { packets, connections };
}

async function useTshark(t: TestContext): Promise<void> {
  await useFakeTshark(t, temporaryFolder(t));
}

test('turns the captures of a run into records and rows', async (t) => {
  await useTshark(t);
  await withCaptures(async (folder, ids) => {
    const begun: number[] = [];
    assert.equal(await readRunCaptures(folder, (count) => begun.push(count)), 3);
    assert.equal(await readRunCaptures(folder, (count) => begun.push(count)), 3);
    assert.deepEqual(begun, [3]);
    const records = await readPackets(folder);
    assert.deepEqual(
      records.map(({ id, file, packets }) => [id, file, packets]),
      ids.map((id) => [id, `packets/${id}.pcapng`, 2]),
    );
    assert.deepEqual(await tablesOf(folder), {
      packets: ids.flatMap((id) => [id, id]),
      connections: ids,
    });
  });
});

test('continues a run that was killed during its captures, without a row twice', async (t) => {
  await useTshark(t);
  await withCaptures(async (folder, ids) => {
    await readRunCaptures(folder);
    const { packetRecords, packetTable } = runFolder(folder);
    const [first = ''] = (await readFile(packetRecords, 'utf8')).split('\n');
    await writeFile(packetRecords, `${first}\n`);
    // The rows of the remaining captures are there, and the beginning of one more.
    await appendFile(packetTable, `${ids[1]},1,1,0.5,to-ser`);
    const begun: number[] = [];
    await readRunCaptures(folder, (count) => begun.push(count));
    assert.deepEqual(begun, [2]);
    assert.deepEqual(await tablesOf(folder), {
      packets: ids.flatMap((id) => [id, id]),
      connections: ids,
    });
  });
});

test('leaves no record and no row of captures that are no longer kept', async (t) => {
  await useTshark(t);
  await withCaptures(async (folder, ids) => {
    await readRunCaptures(folder);
    const [gone = '', ...left] = ids;
    await rm(captureOf(folder, gone));
    assert.equal(await readRunCaptures(folder), 2);
    assertEach(await readPackets(folder), ({ id }) => id, left);
    assert.deepEqual((await tablesOf(folder)).connections, left);
  });
});

test('makes removed tables again', async (t) => {
  await useTshark(t);
  await withCaptures(async (folder, ids) => {
    await readRunCaptures(folder);
    await rm(runFolder(folder).connectionTable);
    await readRunCaptures(folder);
    assert.deepEqual((await tablesOf(folder)).connections, ids);
    assert.equal((await readPackets(folder)).length, 3);
  });
});

test('reports a damaged capture, and reads the remaining ones', async (t) => {
  await useTshark(t);
  await withCaptures(async (folder, ids) => {
    await writeFile(captureOf(folder, ids[0] ?? ''), 'no capture');
    await readRunCaptures(folder);
    const [damaged, ...rest] = await readPackets(folder);
    assert.match(damaged?.complaints.join() ?? '', /is no capture/);
    assertEach(rest, ({ packets }) => packets, [2, 2]);
  });
});

test('reads captures the next time after an interruption', async (t) => {
  await useTshark(t);
  await withCaptures(async (folder, ids) => {
    const stop = new AbortController();
    const reading = readRunCaptures(folder, () => stop.abort(new Error('enough')), stop.signal);
    await assert.rejects(reading, /enough/);
    await readRunCaptures(folder);
    assert.deepEqual((await tablesOf(folder)).connections, ids);
  });
});

test('explains how to get tshark if it is missing', async (t) => {
  usePath(t, temporaryFolder(t));
  await withCaptures(async (folder) => {
    const reading = readRunCaptures(folder);
    await assert.rejects(reading, (error: Error) => {
      assert.ok(error instanceof MachineError);
      assert.equal(error.exitStatus, 3);
      assert.match(error.message, /sudo apt install tshark/);
      return true;
    });
    assert.deepEqual(await readPackets(folder), []);
  });
});
