const LINE_FEED = 0x0a;

/** Reads a stream of pieces by lines and by lengths. */
export function byteReader(pieces: AsyncIterator<Buffer>) {
  let held: Buffer = Buffer.alloc(0);
  const takeHeld = (length: number) => {
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };
  return {
    /** The next line with its line feed, but at most `maxBytes` of it; empty at the end. */
    line: async (maxBytes: number): Promise<Buffer> => {
      for (let searched = 0; ; ) {
        const end = held.indexOf(LINE_FEED, searched) + 1;
        if (end > 0 || held.length >= maxBytes)
          return takeHeld(Math.min(end || maxBytes, maxBytes));
        searched = held.length;
        const { done, value } = await pieces.next();
        if (done) return takeHeld(held.length);
        held = Buffer.concat([held, value]);
      }
    },
    /** The next `length` bytes; fewer at the end. */
    bytes: async (length: number): Promise<Buffer> => {
      const parts: Buffer[] = [];
      for (let missing = length; missing > 0; ) {
        if (held.length === 0) {
          const { done, value } = await pieces.next();
          if (done) break;
          held = value;
        }
        const part = takeHeld(missing);
        parts.push(part);
        missing -= part.length;
      }
      return Buffer.concat(parts);
    },
  };
}

export type ByteReader = ReturnType<typeof byteReader>;
