import type { ClientTransports, SynRecord } from '../../ground/records/client-transports.ts';
import type { ClientCounts } from '../agent.ts';
import type { ParsedConnection } from './connection-record.ts';
import type { TcpHead } from './packet.ts';
import { Reader, readOrNull } from './reader.ts';

/** What the client's first connection over each transport offers, and how often it acknowledges. */
export function clientTransports(
  connections: readonly ParsedConnection[],
  { quic, tcp: { largestWindow, ...tcp } }: ClientCounts,
): ClientTransports {
  const helloOver = (transport: 'quic' | 'tcp') =>
    connections.find(({ record, hello }) => hello && record.transport === transport)?.hello;
  const [ofQuic, ofTcp] = [helloOver('quic'), helloOver('tcp')];
  const head = connections.find((connection) => connection.syn)?.syn;
  const syn = head && readSyn(head);
  return {
    ...((ofQuic || quic.receivedPackets > 0) && {
      quic: {
        ...(ofQuic && { hello: ofQuic.record }),
        ...(ofQuic?.transportParameters && { transportParameters: ofQuic.transportParameters }),
        ...quic,
      },
    }),
    ...((syn || tcp.dataPackets > 0) && {
      tcp: {
        ...(ofTcp && { hello: ofTcp.record }),
        ...(syn && { syn }),
        // A connection from before has another SYN, with a scale that is not known.
        largestWindowBytes:
          syn && largestWindow !== null ? largestWindow * 2 ** (syn.windowScale ?? 0) : null,
        ...tcp,
      },
    }),
  };
}

const END = 0;
const NOTHING = 1;
const MSS = 2;
const WINDOW_SCALE = 3;
const SACK_PERMITTED = 4;
const TIMESTAMPS = 8;
/** RFC 7323, section 2.3. */
const LARGEST_SCALE = 14;

/** Reads the options up to the first damaged one (RFC 9293, section 3.1). */
function readSyn({ window, options }: TcpHead): SynRecord {
  const reader = new Reader(options);
  const found = new Map<number, Buffer>();
  readOrNull(() => {
    while (reader.left > 0) {
      const kind = reader.number(1);
      if (kind === END) return;
      if (kind !== NOTHING) found.set(kind, reader.bytes(reader.number(1) - 2));
    }
  });
  const numberOf = (kind: number, bytes: number) => {
    const value = found.get(kind);
    return value?.length === bytes ? value.readUIntBE(0, bytes) : null;
  };
  const scale = numberOf(WINDOW_SCALE, 1);
  return {
    windowBytes: window,
    windowScale: scale && Math.min(scale, LARGEST_SCALE),
    mssBytes: numberOf(MSS, 2),
    sack: found.has(SACK_PERMITTED),
    timestamps: found.has(TIMESTAMPS),
  };
}

export function addCounts(a: ClientCounts | undefined, b: ClientCounts | undefined) {
  if (!a || !b) return a ?? b;
  const [one, other] = [a.tcp.largestWindow, b.tcp.largestWindow];
  return {
    tcp: {
      acknowledgements: a.tcp.acknowledgements + b.tcp.acknowledgements,
      dataPackets: a.tcp.dataPackets + b.tcp.dataPackets,
      largestWindow: one === null || other === null ? null : Math.max(one, other),
    },
    quic: {
      sentPackets: a.quic.sentPackets + b.quic.sentPackets,
      receivedPackets: a.quic.receivedPackets + b.quic.receivedPackets,
    },
  };
}
