import type { EventLog } from '../../ground/records/event-log.ts';

/** Context of one exchange: records events and keys. */
export interface ExchangeContext {
  log: EventLog;
  /** Adds a line to the NSS key log. */
  keep(line: string): void;
  /** Rejects at the timeout. */
  late: Promise<never>;
}

/** A message of this length, which its first four bytes give. */
export function makeMessage(bytes: number): Buffer {
  const message = Buffer.alloc(bytes, 'message ');
  message.writeUInt32BE(bytes);
  return message;
}

/** Reads the echo of a message; records its begin and end, and returns true at the end. */
export function echoReader(
  log: EventLog,
  { number, bytes }: { number: number; bytes: number },
): (piece: Uint8Array) => boolean {
  let left = bytes;
  return (piece) => {
    log.mark('data', number);
    left -= piece.length;
    if (left > 0) return false;
    log.mark('messageEnd', number);
    return true;
  };
}

export function throwClosedEarly(): never {
  throw new Error('the server closed the connection before all had come back');
}
