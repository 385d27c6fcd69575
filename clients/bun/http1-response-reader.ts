const HEAD_END = '\r\n\r\n';
/** Of a head, the line of a chunk or trailers; Chromium refuses a longer head. */
export const MAX_HEAD_BYTES = 256 * 1024;
/** Its size, and extensions if it has some. */
const CHUNK_LINE = /^([0-9a-f]+)[ \t]*(?:;|$)/i;

/** The head of an answer. */
interface Http1Head {
  status: number;
  /** Names in lower case. */
  fields: [name: string, value: string][];
}

/** What came is no answer of HTTP/1.1. */
export class MalformedResponseError extends Error {}

/** An answer to GET as it comes, in whatever pieces (RFC 9112, 6.3). */
export class Http1ResponseReader {
  /** null: there is more of it to come. */
  head: Http1Head | null = null;
  isWhole = false;
  #left: Buffer = Buffer.alloc(0);
  /** Bytes of the body, or of its chunk, that are to come; null: as many as come before the connection ends. */
  #expectedBytes: number | null = 0;
  #isChunked = false;

  /**
   * Takes what has come next; returns the pieces of the body that it has, without the chunks that they may come in.
   * @throws Http1Malformed for what is no answer
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

  /** The connection has ended, and with it a body that has no length of its own. */
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
    // 103 and the like come before the answer.
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

  /** What is there of the body, or of its chunk. */
  #piece(): Buffer {
    const piece = this.#left.subarray(0, this.#expectedBytes ?? this.#left.length);
    this.#left = this.#left.subarray(piece.length);
    if (this.#expectedBytes !== null) this.#expectedBytes -= piece.length;
    if (this.#expectedBytes === 0 && !this.#isChunked) this.isWhole = true;
    return piece;
  }

  /** Whether another chunk begins. */
  #nextChunk(): boolean {
    // The line of a chunk ends behind it; the first one has none before it.
    const from = this.#left.indexOf('\r\n') === 0 ? 2 : 0;
    const end = this.#left.indexOf('\r\n', from);
    if (end < 0) return false;
    const [, size] = CHUNK_LINE.exec(this.#left.toString('latin1', from, end)) ?? [];
    if (size === undefined) throw malformed(this.#left);
    const bytes = Number.parseInt(size, 16);
    // The last one is followed by trailers and an empty line.
    if (bytes === 0) this.isWhole = this.#left.indexOf(HEAD_END, end) >= 0;
    else {
      this.#left = this.#left.subarray(end + 2);
      this.#expectedBytes = bytes;
    }
    return bytes > 0;
  }
}

function malformed(got: Buffer): MalformedResponseError {
  return new MalformedResponseError(
    `what is no answer of HTTP/1.1: ${got.toString('latin1', 0, 40)}`,
  );
}
