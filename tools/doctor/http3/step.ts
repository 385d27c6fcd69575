import type { Finding } from '../../../ground/host/check.ts';
import type { Way } from './chromium.ts';

/** What was found about one step on the way to HTTP/3. */
export interface Step extends Finding {
  name: string;
  /**
   * Which way of Chromium could not have brought HTTP/3 if this lack were one: what Chromium does is the arbiter. A way that does
   * without less proves more: `as-is` whatever the others do.
   */
  disprovedBy: Way;
}

/** A step that is as it has to be. */
export function fine(name: string, found: string): Step {
  return { name, status: 'ok', found, disprovedBy: 'as-is' };
}

/** A step that tells something and stops nothing. */
export function noted(name: string, found: string): Step {
  return { name, status: 'note', found, disprovedBy: 'as-is' };
}

/** A step beyond which Chromium does not come. */
export function lacking(
  name: string,
  disprovedBy: Way,
  { found, remedy }: Required<Pick<Finding, 'found' | 'remedy'>>,
): Step {
  return { name, status: 'lack', found, remedy, disprovedBy };
}
