import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { fakeCapture, useFakeTshark } from '../../../../test/unit/packets/fake-tshark.ts';
import { segment } from '../../../../test/unit/packets/made-packets.ts';
import { fixtureRun, withRunFolder } from '../../../../test/unit/report/fixture-run.ts';
import { type PacketsChoices, packetsCommand } from '../../command.ts';

const CHOICES: PacketsChoices = { keys: null, csv: null, flow: null, qlog: null, json: false };

/** Calls the command; returns its output. */
async function printed(
  operands: readonly string[],
  choices: Partial<PacketsChoices> = {},
  { latest = '/nowhere', signal = new AbortController().signal } = {},
): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const dependencies = { latest, print, complain: print, signal };
  await packetsCommand(operands, { ...CHOICES, ...choices }, dependencies);
  return lines;
}

/** A folder with a capture of one packet. */
async function withCapture(t: TestContext): Promise<{ folder: string; file: string }> {
  const folder = temporaryFolder(t);
  await useFakeTshark(t, folder);
  const file = path.join(folder, 'a.pcapng');
  await writeFile(file, fakeCapture([segment(0, 'toServer')]));
  return { folder, file };
}

function refuses(running: Promise<unknown>, message: RegExp): Promise<void> {
  return assert.rejects(running, { name: 'UsageError', message });
}

test('prints files by name, as text and as JSON', async (t) => {
  const { file } = await withCapture(t);
  const [text = ''] = await printed([file]);
  assert.match(text, /^a: 1 packet, 66 B, 1 connection\n/);
  const [line = ''] = await printed([file], { json: true });
  const { name, packets, connections } = JSON.parse(line);
  assert.deepEqual([name, packets, connections.length], ['a', 1, 1]);
});

test('writes the tables of all files anew with --csv', async (t) => {
  const { folder, file } = await withCapture(t);
  const csv = path.join(folder, 'new', 'tables');
  for (let time = 0; time < 2; time++) await printed([file, file], { csv });
  const rows = (await readFile(path.join(csv, 'packets.csv'), 'utf8')).trimEnd().split('\n');
  assert.deepEqual([rows.length, rows[1]?.split(',')[0]], [3, 'a']);
});

test('prints an attempt of the latest run by id', async (t) => {
  const { folder, file } = await withCapture(t);
  await mkdir(path.join(folder, 'packets'));
  await writeFile(path.join(folder, 'packets', 'load.1.pcapng'), await readFile(file));
  assert.match((await printed(['load.1'], {}, { latest: folder }))[0] ?? '', /^load\.1: 1 packet/);
});

test('rejects unreadable operands with a remedy', async (t) => {
  const { folder, file } = await withCapture(t);
  await refuses(printed(['nothing']), /nothing is neither a file, nor the id of an attempt/);
  await refuses(printed([file], { keys: '/no/keys' }), /--keys \/no\/keys: there is no such file/);
  await refuses(printed([folder, file]), /Only one folder at a time/);
  await refuses(printed([folder], { csv: folder }), /Remove --csv, or name captures/);
  const text = path.join(folder, 'text');
  for (const content of ['', 'GET / HTTP/1.1']) {
    await writeFile(text, content);
    await refuses(printed([text]), /is no capture: expected a pcap or pcapng file/);
  }
});

test('rejects a run without captures with how to make some', async (t) => {
  await useFakeTshark(t, temporaryFolder(t));
  await withRunFolder(fixtureRun(), (folder) =>
    refuses(printed([folder]), /has no captures\. Record some: .*--packets all/),
  );
});

test('stops printing after an interruption', async (t) => {
  const { file } = await withCapture(t);
  const signal = AbortSignal.abort(new Error('interrupted'));
  await assert.rejects(printed([file], {}, { signal }), /interrupted/);
});
