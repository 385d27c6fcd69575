import { randomBytes } from 'node:crypto';

/**
 * Temporary path in the folder of `target`. Other users who can write to that folder, such as /tmp, cannot guess
 * the name and so cannot place a link there.
 */
export function unfinishedName(target: string): string {
  return `${target}.unfinished-${randomBytes(8).toString('hex')}`;
}
