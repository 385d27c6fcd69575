import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { CaptureRecord } from '../../ground/records/packets.ts';
import { readPackets } from '../../ground/records/read.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { assertPlainFolder } from '../../ground/system/plain-folder.ts';
import { jsonLine } from '../../ground/system/printed.mjs';
import { type CapturedPacket, readCapture } from '../../packets/connections/capture-reader.ts';
import { writeFlowPage } from '../../packets/flow/page.ts';
import { withQlogs } from '../../packets/qlog/write.ts';
import { readingText, readRunCaptures } from '../../packets/run-captures.ts';
import { beginTables, readIntoTables } from '../../packets/tables/files.ts';
import { captureText } from '../../packets/tables/text.ts';

export interface PacketsChoices {
  /** Key log file; null: keys are in the captures. */
  keys: string | null;
  /** Folder for tables; null: not written. */
  csv: string | null;
  /** HTML file for the flow page; null: not written. */
  flow: string | null;
  /** Folder for qlogs; null: not written. */
  qlog: string | null;
  json: boolean;
}

interface PacketsDependencies {
  latest: string;
  print: (line: string) => void;
  complain: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Analyses captures of a run or an attempt, or files from elsewhere.
 * @throws UsageError if there are no captures, or a file is not a capture; MachineError without tshark
 */
export async function packetsCommand(
  operands: readonly string[],
  choices: PacketsChoices,
  dependencies: PacketsDependencies,
): Promise<void> {
  const [first] = operands;
  if (first === undefined || isFolder(first)) {
    if (operands.length > 1)
      throw new UsageError(`Only one folder at a time: remove ${operands[1]}.`);
    return printRun(first ?? dependencies.latest, choices, dependencies);
  }
  if (choices.keys !== null && !existsSync(choices.keys)) {
    throw new UsageError(`--keys ${choices.keys}: there is no such file.`);
  }
  const captures = operands.map((operand) => captureNamed(operand, dependencies.latest));
  if (choices.csv !== null) await beginTables(await tablesIn(choices.csv));
  for (const { file, name } of captures) {
    dependencies.signal.throwIfAborted();
    const { read, qlogs } = await withQlogs(choices.qlog, name, (each) =>
      readOne(file, name, choices, dependencies.signal, each),
    );
    printCapture(name, read, choices, dependencies);
    if (qlogs !== null && !choices.json)
      dependencies.print(
        `qlogs in ${choices.qlog}: ${qlogs.join(', ') || 'none, because there is no QUIC'}`,
      );
  }
  if (choices.flow === null) return;
  const drawn = captures.map(({ file, name }) => ({ file, label: name, ...keysOf(choices) }));
  const [page] = await writeFlowPage(drawn, choices.flow);
  if (!choices.json) dependencies.print(`Drawn: ${page}`);
}

function keysOf({ keys }: PacketsChoices): { keyLogFile?: string } {
  return keys === null ? {} : { keyLogFile: keys };
}

async function readOne(
  file: string,
  name: string,
  choices: PacketsChoices,
  signal: AbortSignal,
  each: (packet: CapturedPacket) => Promise<void>,
): Promise<CaptureRecord> {
  const { csv } = choices;
  const options = { signal, ...keysOf(choices) };
  if (csv === null) return readCapture(file, options, each);
  return readIntoTables(file, name, await tablesIn(csv), options, each);
}

async function tablesIn(folder: string) {
  await mkdir(folder, { recursive: true });
  const { packetTable, connectionTable } = runFolder(folder);
  return { packetTable, connectionTable };
}

async function printRun(
  folder: string,
  choices: PacketsChoices,
  dependencies: PacketsDependencies,
): Promise<void> {
  const { print, complain, signal } = dependencies;
  const ofFiles = (['keys', 'csv', 'flow', 'qlog'] as const).filter(
    (each) => choices[each] !== null,
  );
  if (ofFiles.length > 0) {
    throw new UsageError(
      `${folder} is a run: its captures contain their keys, and its folder has tables and pages. Remove ${ofFiles.map((each) => `--${each}`).join(' and ')}, or name captures.`,
    );
  }
  const captures = await readRunCaptures(folder, (unread) => complain(readingText(unread)), signal);
  if (captures === 0) {
    throw new UsageError(
      `The run in ${folder} has no captures. Record some: npm run benchmark -- --packets all`,
    );
  }
  const { packetTable, connectionTable } = runFolder(folder);
  for (const record of await readPackets(folder))
    printCapture(record.id, record, choices, dependencies);
  if (!choices.json) print(`Tables: ${packetTable}, ${connectionTable}`);
}

function printCapture(
  name: string,
  record: CaptureRecord,
  { json }: PacketsChoices,
  { print }: PacketsDependencies,
): void {
  print(json ? jsonLine({ name, ...record }) : `${name}: ${captureText(record)}`);
}

function captureNamed(operand: string, latest: string): { file: string; name: string } {
  if (existsSync(operand))
    return { file: operand, name: path.basename(operand).replace(/\.pcap(ng)?$/, '') };
  const ofLatest = path.join(runFolder(latest).packets, `${operand}.pcapng`);
  if (existsSync(ofLatest)) {
    assertPlainFolder(latest);
    return { file: ofLatest, name: operand };
  }
  throw new UsageError(
    `${operand} is neither a file, nor the id of an attempt of ${latest} with a capture (expected ${ofLatest}). --packets all records captures.`,
  );
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
