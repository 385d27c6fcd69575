import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import type { AskedConnection } from '../connector.ts';

const read = new Map<string, readonly string[]>();

/** The certificates (PEM) of the authorities to trust, read once; null: certificates are not checked. */
export function authoritiesOf({ trust }: Pick<AskedConnection, 'trust'>): readonly string[] | null {
  if (trust === null) return null;
  const authorities =
    read.get(trust) ??
    (trust === 'system' ? tls.getCACertificates('system') : [readFileSync(trust, 'utf8')]);
  read.set(trust, authorities);
  return authorities;
}
