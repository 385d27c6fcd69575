import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { inFolder } from '../../ground/records/file-name.ts';
import { PRIVATE } from '../../ground/records/private-files.ts';
import type { CapturedPacket } from '../connections/capture-reader.ts';
import { type QlogEvent, QlogTrace } from './trace.ts';

/** Limit for events held until the host is known, which a ClientHello of several packets delays. */
const MAX_HELD_EVENTS = 100;
/** Limit for a host in a file name, which also has the id and an extension. */
const MAX_HOST_CHARACTERS = 40;
const WRITE_CHARS = 64 * 1024;
/** Start of each record of a JSON text sequence (RFC 7464). */
const RECORD = '\u001e';

/** Writes a qlog for each QUIC connection of a capture while it is read. */
interface Qlogs {
  take(packet: CapturedPacket): Promise<void>;
  /** Closes the files and returns their names: `<id>-<host>-<n>.sqlog`, with n the number of the connection. */
  close(): Promise<string[]>;
  discard(): Promise<void>;
}

/**
 * Writes qlogs of a capture while it is read (draft-ietf-quic-qlog-main-schema, version 0.3 as JSON-SEQ, which qvis reads); after an
 * error it removes all of them.
 * @param folder destination; null: no qlogs
 * @param id prefix of their names
 * @param read reads the capture and passes on each of its packets
 * @returns the result of `read`, and the names of the qlogs; null: no qlogs
 */
export async function withQlogs<Read>(
  folder: string | null,
  id: string,
  read: (each: (packet: CapturedPacket) => Promise<void>) => Promise<Read>,
): Promise<{ read: Read; qlogs: string[] | null }> {
  if (folder === null) return { read: await read(async () => {}), qlogs: null };
  const qlogs = createQlogs(folder, id);
  try {
    return { read: await read(qlogs.take), qlogs: await qlogs.close() };
  } catch (error) {
    await qlogs.discard();
    throw error;
  }
}

/** @param id prefix of the names */
export function createQlogs(folder: string, id: string): Qlogs {
  const byConnection = new Map<number, QlogFile>();
  const all = <Result>(use: (file: QlogFile) => Promise<Result>) =>
    Promise.all([...byConnection.values()].map(use));
  return {
    async take(captured) {
      const { connection, packet } = captured;
      if (connection === null || !packet.quic) return;
      const number = byConnection.size + 1;
      const file = byConnection.get(connection) ?? new QlogFile(folder, id, number, captured);
      byConnection.set(connection, file);
      await file.take(captured);
    },
    close: () => all((file) => file.close()),
    discard: async () => void (await all((file) => file.discard())),
  };
}

/** File of one connection; it gets its name once it is complete. */
class QlogFile {
  readonly #folder: string;
  readonly #id: string;
  readonly #number: number;
  readonly #trace: QlogTrace;
  #held: QlogEvent[] = [];
  #file: FileHandle | null = null;
  #text = '';

  constructor(folder: string, id: string, number: number, first: CapturedPacket) {
    this.#folder = folder;
    this.#id = id;
    this.#number = number;
    this.#trace = new QlogTrace(first);
  }

  async take(packet: CapturedPacket): Promise<void> {
    const events = this.#trace.take(packet);
    if (this.#file) return this.#write(events);
    this.#held.push(...events);
    if (this.#trace.host !== null || this.#held.length > MAX_HELD_EVENTS) await this.#begin();
  }

  async close(): Promise<string> {
    if (!this.#file) await this.#begin();
    await this.#flush();
    await this.#file?.close();
    const host = (this.#trace.host ?? 'unknown')
      .replaceAll(/[^\w.-]/g, '_')
      .slice(0, MAX_HOST_CHARACTERS);
    const name = `${this.#id}-${host}-${this.#number}.sqlog`;
    await rename(this.#unfinished, inFolder(this.#folder, name));
    return name;
  }

  async discard(): Promise<void> {
    await this.#file?.close().catch(() => {});
    await rm(this.#unfinished, { force: true });
  }

  get #unfinished(): string {
    return inFolder(this.#folder, `${this.#id}-${this.#number}.sqlog.unfinished`);
  }

  async #begin(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: PRIVATE.folder });
    await rm(this.#unfinished, { force: true });
    this.#file = await open(this.#unfinished, 'wx', PRIVATE.file);
    this.#text = record(headOf(this.#trace, this.#id));
    await this.#write(this.#held.splice(0));
  }

  async #write(events: readonly QlogEvent[]): Promise<void> {
    for (const event of events) this.#text += record(event);
    if (this.#text.length > WRITE_CHARS) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#file?.appendFile(this.#text);
    this.#text = '';
  }
}

function record(value: object): string {
  return `${RECORD}${JSON.stringify(value)}\n`;
}

function headOf({ host, originalId, begin }: QlogTrace, id: string): object {
  const title = `${id}: ${host ?? 'a server that was not named'}`;
  return {
    qlog_version: '0.3',
    qlog_format: 'JSON-SEQ',
    title,
    trace: {
      title,
      description: DESCRIPTION,
      common_fields: {
        ...(originalId !== null && { ODCID: originalId, group_id: originalId }),
        protocol_type: ['QUIC', 'HTTP3'],
        time_format: 'relative',
        reference_time: begin.s * 1000 + begin.ns / 1e6,
      },
      vantage_point: { name: "client's end of the path", type: 'network', flow: 'client' },
    },
  };
}

const DESCRIPTION =
  'Made from captured packets, not by an endpoint. Round-trip times and bytes in flight are estimated from packets and are those of ' +
  'the client; congestion windows are unknown. packet_lost: the path lost a packet of the client; packet_dropped: one of the ' +
  'server. HTTP/3 headers are compressed and therefore missing.';
