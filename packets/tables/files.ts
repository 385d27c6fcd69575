import { existsSync } from 'node:fs';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { csvLine } from '../../ground/records/csv-line.ts';
import { fileLines } from '../../ground/records/file-lines.ts';
import type { CaptureRecord } from '../../ground/records/packets.ts';
import { type PlacedPacket, readCapture } from '../connections/capture-reader.ts';
import type { DissectionOptions } from '../dissection/dissect.ts';
import { CONNECTION_COLUMNS, connectionRow } from './connection-rows.ts';
import { PACKET_COLUMNS, packetRow } from './packet-rows.ts';

/** The tables of a folder: a row for each packet, and one for each connection. */
interface TableFiles {
  packetTable: string;
  connectionTable: string;
}

/** Begins both tables, with those rows that they have of these captures: a run may have been killed in between. */
export async function beginTables(
  { packetTable, connectionTable }: TableFiles,
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  await keepRows(packetTable, PACKET_COLUMNS, known);
  await keepRows(connectionTable, CONNECTION_COLUMNS, known);
}

/**
 * Reads a capture and adds its rows to both tables.
 * @param each sees every packet as it is read
 * @throws what readCapture() throws
 */
export async function readIntoTables(
  capture: string,
  id: string,
  { packetTable, connectionTable }: TableFiles,
  options: Omit<DissectionOptions, 'complain'> = {},
  each: (packet: PlacedPacket) => Promise<void> = async () => {},
): Promise<CaptureRecord> {
  let rows: string[] = [];
  const flush = async () => {
    await appendFile(packetTable, rows.join(''));
    rows = [];
  };
  const record = await readCapture(capture, options, async (packet) => {
    rows.push(`${csvLine(packetRow(packet, id))}\n`);
    if (rows.length >= ROWS_AT_ONCE) await flush();
    await each(packet);
  });
  await flush();
  const lines = record.connections.map((each, place) =>
    csvLine(connectionRow(each, id, place + 1)),
  );
  await appendFile(connectionTable, lines.map((line) => `${line}\n`).join(''));
  return record;
}

const ROWS_AT_ONCE = 5000;

async function keepRows(
  file: string,
  columns: readonly string[],
  known: ReadonlySet<string>,
): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${csvLine(columns)}\n`, { flag: 'wx' });
  if (known.size > 0 && existsSync(file)) {
    let rows: string[] = [];
    for await (const { bytes, number } of fileLines(file)) {
      const line = bytes.toString('utf8');
      if (number === 1 || !known.has(line.slice(0, line.indexOf(',')))) continue;
      rows.push(`${line}\n`);
      if (rows.length >= ROWS_AT_ONCE) {
        await appendFile(unfinished, rows.join(''));
        rows = [];
      }
    }
    await appendFile(unfinished, rows.join(''));
  }
  await rename(unfinished, file);
}
