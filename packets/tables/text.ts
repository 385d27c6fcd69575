import {
  type CaptureRecord,
  LAYER_NAMES,
  type Layer,
  type LayerBytes,
  type WireConnection,
} from '../../ground/records/packets.ts';
import { printable } from '../../ground/system/printed.mjs';
import { bytesText, countText, countWithNoun, millisecondsText } from '../../kit/text/number.ts';
import { alignColumns } from '../../kit/text/terminal.ts';

/** Results of a capture, for a terminal; ends with a line feed. */
export function captureText(capture: CaptureRecord, maxConnections = MAX_CONNECTIONS): string {
  const { packets, bytes, connections, cutPackets, otherPackets, complaints } = capture;
  const { repeatedPackets = 0 } = capture;
  const shown = connections
    .toSorted((a, b) => bytesOf(b) - bytesOf(a))
    .slice(0, maxConnections)
    .toSorted((a, b) => a.beganMs - b.beganMs);
  const left = connections.length - shown.length;
  if (packets === 0) return `${['no packets', ...complaints].join('. ')}\n`;
  const parts = [
    `${countWithNoun(packets, 'packet')}, ${bytesText(bytes)}, ${countWithNoun(connections.length, 'connection')}`,
    connectionTable(shown),
    ...(left > 0
      ? [`and ${countWithNoun(left, 'connection')} with fewer bytes (all of them: --csv)`]
      : []),
    layerTable(connections),
    ...closeLines(connections),
    ...(cutPackets > 0
      ? [
          `Truncated in the file: ${countWithNoun(cutPackets, 'packet')}. Most of their contents remain unread. tcpdump and dumpcap keep complete packets with -s 0.`,
        ]
      : []),
    ...(repeatedPackets > 0
      ? [
          `In the file twice, and counted once: ${countWithNoun(repeatedPackets, 'packet')}. tcpdump -i any writes a packet once per interface.`,
        ]
      : []),
    ...(otherPackets > 0
      ? [`${countWithNoun(otherPackets, 'packet')} of other protocols, or in fragments.`]
      : []),
    ...(cutPackets > 0 ? [] : encryptedLines(connections)),
    ...complaints.map((complaint) => `tshark: ${complaint}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

const MAX_CONNECTIONS = 20;

export function bytesOf({ toServer, toClient }: WireConnection): number {
  return toServer.bytes + toClient.bytes;
}

function connectionTable(connections: readonly WireConnection[]): string {
  const lines = [
    [
      '',
      'server',
      'protocol',
      'packets',
      'bytes',
      'requests',
      'RTT ms',
      'may send ms',
      'complete ms',
      'confirmed ms',
      'lost',
      'sent again',
    ],
    ...connections.map((each) => [
      each.transport,
      printable(each.host ?? each.server),
      printable([each.protocol, each.tlsVersion].filter((part) => part !== null).join(', ') || '–'),
      countText(each.toServer.packets + each.toClient.packets),
      bytesText(bytesOf(each)),
      countText(each.requests),
      millisecondsText(each.roundTripMs?.least),
      millisecondsText(each.maySendMs),
      millisecondsText(each.completeMs),
      millisecondsText(each.confirmedMs),
      countText(each.toServer.lostPackets + each.toClient.lostPackets),
      bytesText(each.toServer.retransmittedBytes + each.toClient.retransmittedBytes),
    ]),
  ];
  return alignColumns(lines, ['end', 'end', 'end', ...Array(9).fill('start')]);
}

function layerTable(connections: readonly WireConnection[]): string {
  const before = sumOf(connections.map(({ beforeRequest }) => beforeRequest));
  const after = sumOf(connections.map(({ afterRequest }) => afterRequest));
  const all = sumOf([before, after]);
  const total = totalOf(all);
  const shown = LAYER_NAMES.filter((layer) => all[layer] > 0);
  const share = (layer: Layer) => `${((100 * all[layer]) / total).toFixed(1)} %`;
  // Without a request all bytes have the same purpose.
  const rows =
    totalOf(after) === 0
      ? [['', 'bytes', 'of all'], ...shown.map((each) => [each, countText(all[each]), share(each)])]
      : [
          ['bytes', 'before the first request', 'after it', 'of all'],
          ...shown.map((each) => [
            each,
            countText(before[each]),
            countText(after[each]),
            share(each),
          ]),
        ];
  return alignColumns(rows, ['end', 'start', 'start', 'start']);
}

export function sumOf(all: readonly LayerBytes[]): LayerBytes {
  return Object.fromEntries(
    LAYER_NAMES.map((layer) => [layer, all.reduce((sum, each) => sum + each[layer], 0)]),
  ) as LayerBytes;
}

function totalOf(layers: LayerBytes): number {
  return LAYER_NAMES.reduce((sum, layer) => sum + layers[layer], 0);
}

function closeLines(connections: readonly WireConnection[]): string[] {
  const said = connections.flatMap(({ closes }) =>
    closes.map(
      ({ by, layer, name, isError }) => `${by}, ${layer}: ${name}${isError ? ' (an error)' : ''}`,
    ),
  );
  const byText = Map.groupBy(said, (text) => text);
  if (byText.size === 0) return [];
  const lines = [...byText].map(([text, all]) => `  ${countText(all.length)} x ${text}`);
  return [`Ends of connections:\n${lines.join('\n')}`];
}

function encryptedLines(connections: readonly WireConnection[]): string[] {
  const closed = connections.filter(
    ({ afterRequest, beforeRequest, opened, transport }) =>
      transport !== 'udp' && opened !== 'all' && beforeRequest.unread + afterRequest.unread > 0,
  );
  if (closed.length === 0) return [];
  return [
    `Encrypted without a key: ${countWithNoun(closed.length, 'connection')}. Name a key log (SSLKEYLOGFILE) with --keys FILE to read more than the above.`,
  ];
}
