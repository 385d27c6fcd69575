import type { EventLog } from '../../../ground/records/event-log.ts';

/** Size of the length field that begins a message; the length includes the field. */
const LENGTH_BYTES = 4;

/**
 * Splits a byte stream into messages, and logs when each begins and is complete.
 * @param first number of the first message
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
    // Joins only the pieces of the length field, to avoid quadratic copying.
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
