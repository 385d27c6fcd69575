import path from 'node:path';
import type { WireConnection } from '../../ground/records/packets.ts';
import { readCapture } from '../connections/capture-reader.ts';
import type { Direction } from '../connections/wire-counts.ts';
import type { DissectionOptions } from '../dissection/dissect.ts';
import { type ByteSeries, ByteSeriesReader } from './byte-series.ts';
import { EventReader, type PacketEvent } from './packet-event.ts';
import { type FlowStep, sequenceOf } from './sequence.ts';

export interface FlowConnection {
  wire: WireConnection;
  /** Shift of the capture's times, in ms: the client's packets earlier, the server's later; 0: captured at the client. */
  shiftMs: number;
  /** Minimum of this connection, or of another to the same server; null: no acknowledgement. */
  leastRttMs: number | null;
  steps: FlowStep[];
  series: ByteSeries;
}

export interface Flow {
  name: string;
  /** TCP and QUIC connections, in the order of their first packets. */
  connections: FlowConnection[];
}

/**
 * Reads a capture into sequences; memory grows with its packets.
 * @throws what readCapture() throws
 */
export async function readFlow(
  file: string,
  options: Pick<DissectionOptions, 'keyLogFile'> = {},
): Promise<Flow> {
  const readers: { events: PacketEvent[]; reader: EventReader; bytes: ByteSeriesReader }[] = [];
  const { connections } = await readCapture(file, options, (captured) => {
    const { connection, direction } = captured;
    if (connection === null || direction === null) return;
    readers[connection] ??= {
      events: [],
      reader: new EventReader(),
      bytes: new ByteSeriesReader(),
    };
    const { events, reader, bytes } = readers[connection];
    events.push(reader.read(captured, direction));
    bytes.take(captured, direction);
  });
  return {
    name: path.basename(file).replace(/\.pcap(ng)?$/, ''),
    connections: connections.flatMap((wire, place) => {
      const own = readers[place];
      if (wire.transport === 'udp' || !own) return [];
      const minRttMs = minRttOf(wire, connections);
      const shiftMs = shiftOf(wire);
      const moved = own.events.map((event) => ({
        ...event,
        atMs: event.atMs + shiftInDirection(event.direction, shiftMs),
      }));
      const steps = sequenceOf(moved, minRttMs);
      const series = shiftedSeries(own.bytes.series, shiftMs);
      return [{ wire: shiftedWire(wire, shiftMs), shiftMs, leastRttMs: minRttMs, steps, series }];
    }),
  };
}

/** The client acknowledges within this share of the round trip if the capture is at the client. */
const AT_CLIENT_SHARE = 0.05;

/** One-way delay between the client and the capture point, in ms. */
function shiftOf({ roundTripMs }: WireConnection): number {
  const { clientLeast, least } = roundTripMs ?? { clientLeast: null, least: 0 };
  return clientLeast !== null && clientLeast > least * AT_CLIENT_SHARE ? clientLeast / 2 : 0;
}

function shiftInDirection(direction: Direction, shiftMs: number): number {
  return direction === 'toServer' ? -shiftMs : shiftMs;
}

/** Moves times from the capture point to the client: it sent `shiftMs` earlier, and received `shiftMs` later. */
function shiftedWire(wire: WireConnection, shiftMs: number): WireConnection {
  const later = (ms: number | null) => (ms === null ? null : ms + 2 * shiftMs);
  const maySendMs = later(wire.maySendMs);
  const { completeMs } = wire;
  return {
    ...wire,
    beganMs: wire.beganMs - shiftMs,
    maySendMs,
    completeMs: completeMs === null ? null : Math.max(completeMs, maySendMs ?? completeMs),
    confirmedMs: later(wire.confirmedMs),
  };
}

function shiftedSeries({ sent, acknowledged, window }: ByteSeries, shiftMs: number): ByteSeries {
  const moved =
    (direction: Direction) =>
    <P extends { atMs: number }>(point: P): P => ({
      ...point,
      atMs: point.atMs + shiftInDirection(direction, shiftMs),
    });
  return {
    sent: sent.map(moved('toClient')),
    acknowledged: acknowledged.map(moved('toServer')),
    window: window.map(moved('toServer')),
  };
}

function minRttOf(
  { roundTripMs, server }: WireConnection,
  all: readonly WireConnection[],
): number | null {
  const siblings = all.filter((other) => other.server === server);
  const known = siblings.flatMap((other) => other.roundTripMs?.least ?? []);
  return roundTripMs?.least ?? (known.length > 0 ? Math.min(...known) : null);
}

/** A flow as JSON: its sequences, with times in ms after the capture's first packet. */
export function flowJson({ name, connections }: Flow): string {
  const sequences = connections.map(({ wire, steps }) => ({ ...wire, steps }));
  return `${JSON.stringify({ name, connections: sequences }, null, 1)}\n`;
}
