import { opendir } from 'node:fs/promises';
import path from 'node:path';
import protobuf from 'protobufjs/minimal.js';
import { countText } from '../../../kit/text/number.ts';
import { shown } from '../../import-error.ts';
import { IMPORT_LIMITS, type ImportLimits, importBudget } from '../../limits.ts';
import type { RecordedExchange } from '../../recording.ts';
import { readPart } from '../archive-file.ts';
import { headerValue } from '../header-block.ts';
import { bodyOf, requestLine, typeOfRequest } from '../http-message.ts';
import type { PageImporter } from '../importer.ts';
import {
  type ArchiveContent,
  addEntry,
  ipAddress,
  type ReadEntry,
  readersOf,
} from '../recording-of.ts';

export const MAHIMAHI: PageImporter = {
  recognise,
  ...readersOf('a folder recorded by Mahimahi', contentOf),
};

/** Number of files that are checked to recognise a folder; one of them may be damaged. */
const FILES_LOOKED_AT = 8;
/** Larger files are not used to recognise a folder. */
const LOOKED_AT_BYTES = 64 * 1024 * 1024;

async function recognise(archive: string): Promise<boolean> {
  try {
    let looked = 0;
    for await (const entry of await opendir(archive)) {
      if (!entry.isFile()) continue;
      const bytes = await readPart(path.join(archive, entry.name), LOOKED_AT_BYTES);
      const record = bytes === null ? null : mahimahiRecord(bytes, IMPORT_LIMITS.headers);
      if (record && isHttp(record)) return true;
      looked += 1;
      if (looked === FILES_LOOKED_AT) return false;
    }
    return false;
  } catch {
    return false;
  }
}

/** Whether the messages are HTTP: many files parse as a protobuf by chance. */
function isHttp({ request, response }: MahimahiRecord): boolean {
  return requestLine(request.firstLine) !== null && statusOf(response) !== null;
}

async function contentOf(folder: string, limits: ImportLimits): Promise<ArchiveContent> {
  const budget = importBudget(folder, limits);
  const content: ArchiveContent = { exchanges: [], notes: [], recordedAt: null };
  const names: string[] = [];
  for await (const entry of await opendir(folder)) {
    budget.takeEntry();
    if (entry.isFile()) names.push(entry.name);
    else content.notes.push({ where: shown(entry.name), text: 'skipped, not a regular file' });
  }
  // File names are random: sorts them to be independent of the file system.
  names.sort();
  for (const name of names) {
    const where = `${path.basename(folder)}/${shown(name)}`;
    addEntry(content, where, await readExchange(path.join(folder, name), where, limits), budget);
  }
  return { ...content, exchanges: byDate(content.exchanges) };
}

async function readExchange(file: string, where: string, limits: ImportLimits): Promise<ReadEntry> {
  const maxBytes = limits.bodyBytes + limits.headerBytes;
  const bytes = await readPart(file, maxBytes);
  if (bytes === null) {
    return `it cannot be read, or has more than ${countText(maxBytes)} bytes`;
  }
  const record = mahimahiRecord(bytes, limits.headers);
  if (record === null) {
    return `it is not a Mahimahi protobuf, or has more than ${limits.headers} headers`;
  }
  const { request, response } = record;
  const sent = requestLine(request.firstLine);
  if (sent === null) return 'its request does not begin with a request line';
  const status = statusOf(response);
  if (status === null) return 'its response does not begin with a status line';
  const { headers } = response;
  const requestHeaders = request.headers;
  const url = urlOf(record, sent.target, requestHeaders);
  if (url === null) return 'its request has no host and path';
  const notes: string[] = [];
  return {
    exchange: {
      where,
      method: sent.method,
      url,
      status,
      headers,
      body: bodyOf(status, headers, response.body, notes),
      bodyIs: 'as sent',
      type: typeOfRequest(requestHeaders),
      requestHeaders,
      serverAddress: ipAddress(record.ip),
    },
    notes,
  };
}

function statusOf(response: MahimahiMessage): number | null {
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/.exec(response.firstLine)?.[1];
  return status === undefined ? null : Number(status);
}

/** The Host header distinguishes names at one address, and has a non-default port. */
function urlOf(
  { scheme }: MahimahiRecord,
  target: string,
  requestHeaders: [string, string][],
): string | null {
  if (URL.parse(target) !== null) return target;
  const host = headerValue(requestHeaders, 'host')?.trim();
  return host && target.startsWith('/') ? `${scheme}://${host}${target}` : null;
}

/** Stable sort by the responses' Date, in seconds. */
function byDate(exchanges: RecordedExchange[]): RecordedExchange[] {
  const dated = exchanges.map((exchange) => {
    const timeMs = Date.parse(headerValue(exchange.headers, 'date') ?? '');
    return { exchange, timeMs: Number.isNaN(timeMs) ? Number.MAX_SAFE_INTEGER : timeMs };
  });
  return dated.sort((a, b) => a.timeMs - b.timeMs).map(({ exchange }) => exchange);
}

/** A request or a response in Mahimahi's format; missing parts are empty. */
interface MahimahiMessage {
  /** First line, names and values are Latin-1 text, so that each character is one byte. */
  firstLine: string;
  headers: [name: string, value: string][];
  body: Uint8Array;
}

interface MahimahiRecord {
  /** Address of the server. */
  ip: string;
  scheme: 'http' | 'https';
  request: MahimahiMessage;
  response: MahimahiMessage;
}

/** Protobuf wire types. */
const VARINT = 0;
const BYTES = 2;

/**
 * Parses a file of a recorded folder, by the field numbers of Mahimahi's `http_record.proto`. Parses single fields, as
 * a decoder of messages would create all headers before they can be counted.
 * null: not a protobuf of that shape, or more headers.
 */
function mahimahiRecord(file: Uint8Array, maxHeaders: number): MahimahiRecord | null {
  const record: MahimahiRecord = {
    ip: '',
    scheme: 'https',
    request: emptyMessage(),
    response: emptyMessage(),
  };
  try {
    readFields(file, {
      bytes: (field, bytes) => {
        if (field === 1) record.ip = latin1(bytes);
        if (field === 4) readMessage(bytes, record.request, maxHeaders);
        if (field === 5) readMessage(bytes, record.response, maxHeaders);
      },
      varint: (field, number) => {
        if (field === 3) record.scheme = number === 1 ? 'http' : 'https';
      },
    });
    return record;
  } catch {
    return null;
  }
}

function readMessage(bytes: Uint8Array, message: MahimahiMessage, maxHeaders: number): void {
  readFields(bytes, {
    bytes: (field, content) => {
      if (field === 1) message.firstLine = latin1(content);
      if (field === 2) message.headers.push(headerOf(content));
      if (field === 3) message.body = content;
      if (message.headers.length > maxHeaders) throw new Error('too many headers');
    },
  });
}

function headerOf(bytes: Uint8Array): [name: string, value: string] {
  const header: [string, string] = ['', ''];
  readFields(bytes, {
    bytes: (field, content) => {
      if (field === 1) header[0] = latin1(content);
      if (field === 2) header[1] = latin1(content);
    },
  });
  return header;
}

/** @throws Error when the bytes are not a protobuf */
function readFields(
  bytes: Uint8Array,
  found: {
    bytes: (field: number, content: Uint8Array) => void;
    varint?: (field: number, number: number) => void;
  },
): void {
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const wireType = tag & 7;
    if (wireType === BYTES) found.bytes(tag >>> 3, reader.bytes());
    else if (wireType === VARINT) found.varint?.(tag >>> 3, reader.uint32());
    else reader.skipType(wireType);
  }
}

function emptyMessage(): MahimahiMessage {
  return { firstLine: '', headers: [], body: new Uint8Array() };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
