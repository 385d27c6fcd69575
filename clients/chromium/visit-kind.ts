/**
 * How much the browser knows of the site when the measured load begins. cold: nothing. repeat: what an earlier load left
 * in cache, cookies and session tickets, with no connection open any more. resumed: session tickets alone. reload: the
 * page is there and is loaded once more (F5), over the connections of its first load where the server keeps them open.
 *
 * Three tell of how it comes to HTTP/3 where a server has that beside HTTP/2. forced: nothing, but it speaks nothing but QUIC.
 * discovered: what an earlier load was told of the servers (Alt-Svc), and session tickets. https-record: nothing, but the name
 * server tells with each host's address that HTTP/3 is spoken there. Of servers of one protocol the first and the last are cold.
 */
export const VISIT_KINDS = [
  'cold',
  'repeat',
  'resumed',
  'reload',
  'forced',
  'discovered',
  'https-record',
] as const;

export type VisitKind = (typeof VISIT_KINDS)[number];

/** Whether the page is loaded once before it is measured. */
export function hasEarlierLoad(visit: VisitKind): boolean {
  return !['cold', 'forced', 'https-record'].includes(visit);
}
