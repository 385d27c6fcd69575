/** A request of the contract test. */
export interface ExchangeRequest {
  host: string;
  method: string;
  /** As on the wire: nothing normalizes it. */
  path: string;
  /** In addition to those that the protocol needs; names in lower case. */
  headers?: Record<string, string>;
  /** Absent: a few bytes with POST, none with other methods. */
  body?: string;
  /** How many times in a row the body is sent; absent: once. */
  times?: number;
}

/** The body of the request; undefined: no body. */
export function bodyToSend({ method, body }: ExchangeRequest): string | undefined {
  return body ?? (method === 'POST' ? 'posted' : undefined);
}

/** The pieces of a body that is sent more than once. */
export async function* piecesToSend(body: string, times: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.from(body);
  for (let sent = 0; sent < times; sent++) yield piece;
}

/** The response, in the same terms for every protocol. */
export interface ExchangeResponse {
  status: number;
  /**
   * Every line as received, names in lower case: parsed headers show only the first of two content
   * types.
   */
  lines: HeaderLine[];
  bytes: number;
  /** Hex, of the body. */
  sha256: string;
}

export type HeaderLine = [name: string, value: string];

/** The same from alternating names and values, as node's clients return them. */
export function headerLines(raw: readonly string[]): HeaderLine[] {
  return raw.flatMap((name, index): HeaderLine[] =>
    index % 2 === 0 && !name.startsWith(':') ? [[name.toLowerCase(), raw[index + 1] ?? '']] : [],
  );
}
