/** A request of the contract test. */
export interface ExchangeRequest {
  host: string;
  method: string;
  /** As it goes over the wire: nothing tidies it. */
  path: string;
  /** Besides those that the protocol needs; names in lower case. */
  headers?: Record<string, string>;
  /** Absent: a few bytes with POST, none with other methods. */
  body?: string;
}

/** The body that goes with a request; undefined: none. */
export function bodyToSend({ method, body }: ExchangeRequest): string | undefined {
  return body ?? (method === 'POST' ? 'posted' : undefined);
}

/** What came back, in the same words for every protocol. */
export interface ExchangeResponse {
  status: number;
  /** Lower-case names; values of one name joined with `, `, but set-cookie's kept apart with a line feed. */
  headers: Record<string, string>;
  bytes: number;
  /** Hex, of the body. */
  sha256: string;
}

/** Header values of one name as ExchangeResponse holds them. */
export function joinedHeader(name: string, value: string | string[] | number | undefined): string {
  if (!Array.isArray(value)) return String(value);
  return value.join(name === 'set-cookie' ? '\n' : ', ');
}
