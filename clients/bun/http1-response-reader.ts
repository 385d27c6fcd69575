const HEAD_END = '\r\n\r\n';
/** Largest header section, chunk's line or trailers; Chromium's limit too. */
export const MAX_HEAD_BYTES = 256 * 1024;
/** Chunk size, and extensions if any. */
const CHUNK_LINE = /^([0-9a-f]+)[ \t]*(?:;|$)/i;

interface Http1Head {
  status: number;
  /** Header fields, names in lower case. */
  fields: [name: string, value: string][];
}

export class MalformedResponseError extends Error {}

/** Parses a response to GET as it arrives (RFC 9112, 6.3). */
export class Http1ResponseReader {
  /** Status and header fields; null: incomplete. */
  head: Http1Head | null = null;
  isWhole = false;
  #left: Buffer = Buffer.alloc(0);
  /** Remaining bytes of the body or chunk; null: the body ends with the connection. */
  #expectedBytes: number | null = 0;
  #isChunked = false;

  /**
   * Takes the next bytes; returns the pieces of the body in them, without chunk framing.
   * @throws MalformedResponseError
   */
  take(chunk: Buffer): Buffer[] {
    this.#left = Buffer.concat([this.#left, chunk]);
    const pieces = this.head === null && !this.#readHead() ? [] : this.#pieces();
    if (!this.isWhole && this.#left.length > MAX_HEAD_BYTES) throw malformed(this.#left);
    return pieces;
  }

  #pieces(): Buffer[] {
    const pieces: Buffer[] = [];
    for (;;) {
      const piece = this.#piece();
      if (piece.length > 0) pieces.push(piece);
      if (this.isWhole || this.#expectedBytes !== 0 || !this.#nextChunk()) return pieces;
    }
  }

  /** Reports the connection's end, which completes a body without a length. */
  end(): void {
    if (this.head !== null && this.#expectedBytes === null) this.isWhole = true;
  }

  #readHead(): boolean {
    const end = this.#left.indexOf(HEAD_END);
    if (end < 0) return false;
    const [first = '', ...lines] = this.#left.toString('latin1', 0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
    if (Number.isNaN(status)) throw malformed(this.#left);
    this.#left = this.#left.subarray(end + HEAD_END.length);
    // Skips interim responses such as 103.
    if (status < 200) return this.#readHead();
    const fields = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    this.head = { status, fields };
    const { 'transfer-encoding': coding = '', 'content-length': length } =
      Object.fromEntries(fields);
    if (status === 204 || status === 304) this.isWhole = true;
    else if (/\bchunked$/i.test(coding)) this.#isChunked = true;
    else if (length === undefined) this.#expectedBytes = null;
    else if (/^\d+$/.test(length)) this.#expectedBytes = Number(length);
    else throw malformed(Buffer.from(`content-length: ${length}`));
    return true;
  }

  #piece(): Buffer {
    const piece = this.#left.subarray(0, this.#expectedBytes ?? this.#left.length);
    this.#left = this.#left.subarray(piece.length);
    if (this.#expectedBytes !== null) this.#expectedBytes -= piece.length;
    if (this.#expectedBytes === 0 && !this.#isChunked) this.isWhole = true;
    return piece;
  }

  #nextChunk(): boolean {
    // CRLF ends each chunk; the first chunk has no CRLF before it.
    const from = this.#left.indexOf('\r\n') === 0 ? 2 : 0;
    const end = this.#left.indexOf('\r\n', from);
    if (end < 0) return false;
    const [, size] = CHUNK_LINE.exec(this.#left.toString('latin1', from, end)) ?? [];
    if (size === undefined) throw malformed(this.#left);
    const bytes = Number.parseInt(size, 16);
    // Trailers and an empty line follow the last chunk.
    if (bytes === 0) this.isWhole = this.#left.indexOf(HEAD_END, end) >= 0;
    else {
      this.#left = this.#left.subarray(end + 2);
      this.#expectedBytes = bytes;
    }
    return bytes > 0;
  }
}

function malformed(got: Buffer): MalformedResponseError {
  return new MalformedResponseError(`text that is not HTTP/1.1: ${got.toString('latin1', 0, 40)}`);
}
