import protobuf from 'protobufjs/minimal.js';

/** A request or a response as Mahimahi keeps it; what is missing is empty. */
export interface MahimahiMessage {
  /** First line, names and values are Latin-1 text, so that each character is one byte. */
  firstLine: string;
  headers: [name: string, value: string][];
  body: Uint8Array;
}

/** One file of a folder that Mahimahi recorded. */
export interface MahimahiRecord {
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
export function mahimahiRecord(file: Uint8Array, maxHeaders: number): MahimahiRecord | null {
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
