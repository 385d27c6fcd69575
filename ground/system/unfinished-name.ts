import { randomBytes } from 'node:crypto';

/**
 * Path for what is written before it gets the name `place`, in the same folder. Other users may be able to write to that folder, such as
 * /tmp: they cannot guess the name, so they cannot put a link there.
 */
export function unfinishedName(target: string): string {
  return `${target}.unfinished-${randomBytes(8).toString('hex')}`;
}
