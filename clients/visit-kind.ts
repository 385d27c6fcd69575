import { offersBoth, type Protocol } from '../ground/records/protocol.ts';

/**
 * What the browser knows of the site when the measured load begins. cold: nothing. repeat: cache, cookies and session tickets of an
 * earlier load, but no open connection. resumed: only session tickets. reload: reloads the page (F5), over the connections of its
 * first load if the server keeps them open.
 *
 * Further kinds select how the browser finds HTTP/3 on a server that also has HTTP/2. forced: knows nothing, but uses only QUIC.
 * discovered: Alt-Svc and session tickets from an earlier load. https-record: knows nothing, but an HTTPS record in DNS advertises
 * HTTP/3. h3-used: as discovered, after HTTP/3 has worked once. h3-broken: as h3-used, after another visit over the measured
 * load's network: if that blocks UDP, HTTP/3 has just failed.
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

/** Number of return visits after an earlier load, only to receive Alt-Svc again. */
export function returnVisits(visit: VisitKind): number {
  return { discovered: 1, 'h3-used': 2, 'h3-broken': 3 }[visit as string] ?? 0;
}

/** Whether the page is loaded once before the measured load. */
export function hasEarlierLoad(visit: VisitKind): boolean {
  return !['cold', 'forced', 'https-record'].includes(visit);
}

/** The visit kind for a server of one protocol, where nothing needs to be advertised or forced. */
export function visitWithoutChoice(visit: VisitKind): VisitKind {
  if (returnVisits(visit) > 0) return 'resumed';
  return hasEarlierLoad(visit) ? visit : 'cold';
}

/** Whether a visit needs a browser that forces QUIC: a server of one protocol needs none. */
export function isForced(
  { protocol }: { protocol: Protocol },
  visit: VisitKind | undefined,
): boolean {
  return visit === 'forced' && offersBoth(protocol);
}
