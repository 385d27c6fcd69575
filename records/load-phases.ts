/**
 * What a page load's time was spent on, in ms: each instant from navigationStart to loadEventEnd is in exactly one phase,
 * so the phases add up to the page load time.
 */
export interface LoadPhasesMs {
  /** A connection was being made (name, TCP, TLS or QUIC), and no request was waiting for a response or receiving one. */
  setUp: number;
  /** A request was sent and not answered yet, and no response was arriving. */
  waiting: number;
  /** At least one response was arriving: after its headers, before its last byte. */
  transfer: number;
  /** The network had nothing to do: the browser worked, or held its requests back. */
  rest: number;
}
