import path from 'node:path';
import type { TransferRequest, TransferResult } from '../../../clients/transfer-client.ts';
import { timeOfDayAheadMs } from '../../../ground/system/node-clock.ts';
import { withTemporaryFolder } from '../../../ground/system/temporary-folder.ts';
import type { Bench } from '../../measuring.ts';
import type { ObservedTransfer } from '../limits/observed-transfer.ts';
import { readCapturedPackets } from './captured-packets.ts';
import type { InitialLimits } from './windows.ts';
import { readWireConnections, type WireConnection } from './wire-connection.ts';
import { wireSamples } from './wire-samples.ts';

export type SenderFromPackets = Required<Pick<ObservedTransfer, 'sender' | 'packets'>>;

/**
 * Derives the state of a QUIC sender of bodies from the captured packets of a transfer.
 * @returns null if packets are missing: the capture had no room for them, or not for the handshake
 * @throws what Path.writeCapture() throws
 */
export function senderFromPackets(
  path_: Pick<Bench['path'], 'writeCapture'>,
  { keyLog, requestedAtMs }: Pick<TransferResult, 'keyLog' | 'requestedAtMs'>,
  { direction, streams }: Pick<TransferRequest, 'direction' | 'streams'>,
): Promise<SenderFromPackets | null> {
  const startMs = requestedAtMs + timeOfDayAheadMs();
  return withTemporaryFolder('samples', async (folder) => {
    const file = path.join(folder, 'packets');
    const { missed } = await path_.writeCapture(file);
    if (missed > 0) return null;
    const connections = await readWireConnections(readCapturedPackets(file), keyLog, startMs);
    const sends = direction === 'download' ? 'server' : 'client';
    const connection = connections.toSorted((a, b) => sentBy(sends, b) - sentBy(sends, a))[0];
    if (connection === undefined) return null;
    const offered = offeredLimits(connection, sends);
    const initial = offered && { ...offered, streams };
    const sender = wireSamples(connection, sends, initial);
    const isDecrypted = connection.hasKeys && initial !== null;
    return sender && { sender, packets: isDecrypted ? 'with keys' : 'without keys' };
  });
}

function sentBy(sends: 'client' | 'server', { datagrams }: WireConnection): number {
  return datagrams
    .filter(({ toServer }) => toServer === (sends === 'client'))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Limits that the receiver of the bodies offers in its handshake; null: not known. */
function offeredLimits(
  { clientParameters, serverParameters }: WireConnection,
  sends: 'client' | 'server',
): Omit<InitialLimits, 'streams'> | null {
  const offered = sends === 'server' ? clientParameters : serverParameters;
  // Streams of requests begin at the client (RFC 9000, section 18.2).
  const stream = sends === 'server' ? 'bidi_local' : 'bidi_remote';
  return (
    offered && {
      connectionBytes: offered.initial_max_data ?? 0,
      streamBytes: offered[`initial_max_stream_data_${stream}`] ?? 0,
    }
  );
}
