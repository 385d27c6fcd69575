/**
 * How much the browser knows of the site when the measured load begins. cold: nothing. repeat: what an earlier load left
 * in cache, cookies and session tickets, with no connection open any more. resumed: session tickets alone. reload: the
 * page is there and is loaded once more (F5), over the connections of its first load where the server keeps them open.
 */
export const VISIT_KINDS = ['cold', 'repeat', 'resumed', 'reload'] as const;

export type VisitKind = (typeof VISIT_KINDS)[number];
