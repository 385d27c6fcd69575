import type { EventLog } from '../../../ground/records/event-log.ts';

/** Every message begins with its whole length in bytes, in so many bytes. */
const LENGTH_BYTES = 4;

/**
 * Takes what comes from a client piece by piece, notes when messages begin and are whole, and hands on the bytes of those that are.
 * @param first number of the first one
 */
export function messageReader(
  log: EventLog,
  first: number,
  onWhole: (message: Buffer, number: number) => void,
): (piece: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let number = first;
  return (piece) => {
    if (bytes === 0) log.mark('data', number);
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < LENGTH_BYTES) return;
    // Only the first pieces are needed for the length, and they are joined once: what follows is counted.
    if ((pieces[0] as Uint8Array).length < LENGTH_BYTES) pieces = [Buffer.concat(pieces)];
    const lengthBytes = Buffer.from(pieces[0] as Uint8Array).readUInt32BE();
    if (bytes < lengthBytes) return;
    log.mark('messageEnd', number);
    const message = Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
    onWhole(message, number++);
  };
}
