import type { Finding } from '../../../ground/host/check.ts';
import type { Mode } from './chromium.ts';

/** What was found about one step on the way to HTTP/3. */
export interface Step extends Finding {
  name: string;
  /**
   * Which way of Chromium could not have brought HTTP/3 if this lack were one: what Chromium does is the arbiter. A way that does
   * without less proves more: `as-is` whatever the others do.
   */
  disprovedBy: Mode;
}

/** A step that is as it has to be. */
export function okStep(name: string, found: string): Step {
  return { name, status: 'ok', found, disprovedBy: 'as-is' };
}

/** A step that tells something and stops nothing. */
export function noteStep(name: string, found: string): Step {
  return { name, status: 'note', found, disprovedBy: 'as-is' };
}

/** A step beyond which Chromium does not come. */
export function lackStep(
  name: string,
  disprovedBy: Mode,
  { found, remedy }: Required<Pick<Finding, 'found' | 'remedy'>>,
): Step {
  return { name, status: 'lack', found, remedy, disprovedBy };
}
