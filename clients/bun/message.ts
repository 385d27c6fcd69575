import type { EventLog } from '../../ground/records/event-log.ts';

/** Where an exchange notes what happens, and what ends it early. */
export interface ExchangeContext {
  log: EventLog;
  /** Takes a line of an NSS key log. */
  keep(line: string): void;
  /** Rejects when it takes too long. */
  late: Promise<never>;
}

/** A message of so many bytes, the first four of which say how many. */
export function makeMessage(bytes: number): Buffer {
  const message = Buffer.alloc(bytes, 'message ');
  message.writeUInt32BE(bytes);
  return message;
}

/** Takes what comes back of a message piece by piece; notes when it begins and is whole, and tells the latter. */
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

/** Of a connection that is closed while something is waited for. */
export function throwClosedEarly(): never {
  throw new Error('the server closed the connection before all had come back');
}
