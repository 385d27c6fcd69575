import type { Finding } from '../../../ground/host/check.ts';
import type { Mode } from './chromium.ts';

/** Finding about one step towards HTTP/3. */
export interface Step extends Finding {
  name: string;
  /** Mode of the browser that would fail if this lack were real: HTTP/3 in it or in an earlier mode (`as-is` first) disproves the lack. */
  disprovedBy: Mode;
}

export function okStep(name: string, found: string): Step {
  return { name, status: 'ok', found, disprovedBy: 'as-is' };
}

/** A finding that does not prevent HTTP/3. */
export function noteStep(name: string, found: string): Step {
  return { name, status: 'note', found, disprovedBy: 'as-is' };
}

/** A finding that prevents HTTP/3. */
export function lackStep(
  name: string,
  disprovedBy: Mode,
  { found, remedy }: Required<Pick<Finding, 'found' | 'remedy'>>,
): Step {
  return { name, status: 'lack', found, remedy, disprovedBy };
}
