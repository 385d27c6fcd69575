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

/** Files that are looked at before a folder counts as something else; one of them may be damaged. */
const FILES_LOOKED_AT = 8;
/** A larger file than this does not decide what a folder is. */
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

/** Many files are a protobuf of some shape by chance. */
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
  // Names are random, so this is only an order that does not depend on the file system.
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
    return `it is no protobuf of Mahimahi's, or has more than ${limits.headers} headers`;
  }
  const { request, response } = record;
  const asked = requestLine(request.firstLine);
  if (asked === null) return 'its request does not begin with a request line';
  const status = statusOf(response);
  if (status === null) return 'its response does not begin with a status line';
  const { headers } = response;
  const requestHeaders = request.headers;
  const url = urlOf(record, asked.target, requestHeaders);
  if (url === null) return 'its request says no host and path';
  const notes: string[] = [];
  return {
    exchange: {
      where,
      method: asked.method,
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

/** The request's Host tells names that share an address apart, and has the port where that is not the scheme's own. */
function urlOf(
  { scheme }: MahimahiRecord,
  target: string,
  requestHeaders: [string, string][],
): string | null {
  if (URL.parse(target) !== null) return target;
  const host = headerValue(requestHeaders, 'host')?.trim();
  return host && target.startsWith('/') ? `${scheme}://${host}${target}` : null;
}

/** By the responses' Date, which is exact to the second; those without one, or that say the same, stay as they are. */
function byDate(exchanges: RecordedExchange[]): RecordedExchange[] {
  const dated = exchanges.map((exchange) => {
    const timeMs = Date.parse(headerValue(exchange.headers, 'date') ?? '');
    return { exchange, timeMs: Number.isNaN(timeMs) ? Number.MAX_SAFE_INTEGER : timeMs };
  });
  return dated.sort((a, b) => a.timeMs - b.timeMs).map(({ exchange }) => exchange);
}

/** A request or a response as Mahimahi keeps it; what is missing is empty. */
interface MahimahiMessage {
  /** First line, names and values are Latin-1 text, so that each character is one byte. */
  firstLine: string;
  headers: [name: string, value: string][];
  body: Uint8Array;
}

interface MahimahiRecord {
  /** Of the server. */
  ip: string;
  scheme: 'http' | 'https';
  request: MahimahiMessage;
  response: MahimahiMessage;
}

/** Protobuf's numbers for how a field is written. */
const VARINT = 0;
const BYTES = 2;

/**
 * Reads one file of a recorded folder, by the field numbers of Mahimahi's `http_record.proto`. Field by field and not by
 * a description of the message, because that makes an object of every header before they can be counted.
 * Null: it is no protobuf of that shape, or one with more headers.
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

/** @throws Error when the bytes are no protobuf */
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
