/**
 * How much the browser knows of the site when the measured load begins. cold: nothing. repeat: what an earlier load left
 * in cache, cookies and session tickets, with no connection open any more. resumed: session tickets alone. reload: the
 * page is there and is loaded once more (F5), over the connections of its first load where the server keeps them open.
 *
 * Others tell of how it comes to HTTP/3 where a server has that beside HTTP/2. forced: nothing, but it speaks nothing but QUIC.
 * discovered: what an earlier load was told of the servers (Alt-Svc), and session tickets. https-record: nothing, but the name
 * server tells with each host's address that HTTP/3 is spoken there.
 * h3-used: the same as discovered, after HTTP/3 has worked once. h3-broken: the same as h3-used, after the browser has come back once
 * more over the network as it is now: where that lets no UDP through, HTTP/3 has just failed.
 */
export const VISIT_KINDS = [
  'cold',
  'repeat',
  'resumed',
  'reload',
  'forced',
  'discovered',
  'https-record',
  'h3-used',
  'h3-broken',
] as const;

export type VisitKind = (typeof VISIT_KINDS)[number];

/** How often the browser comes back after an earlier load, only to hear what the servers offer beside (Alt-Svc); 0: it need not. */
export function returnVisits(visit: VisitKind): number {
  return { discovered: 1, 'h3-used': 2, 'h3-broken': 3 }[visit as string] ?? 0;
}

/** Whether the page is loaded once before it is measured. */
export function hasEarlierLoad(visit: VisitKind): boolean {
  return !['cold', 'forced', 'https-record'].includes(visit);
}

/** The usual kind that a visit is to a server of one protocol, where nothing is to be told of HTTP/3 and nothing forced. */
export function visitWithoutChoice(visit: VisitKind): VisitKind {
  if (returnVisits(visit) > 0) return 'resumed';
  return hasEarlierLoad(visit) ? visit : 'cold';
}
