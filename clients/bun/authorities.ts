import * as tls from 'node:tls';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import type { ConnectionRequest } from '../connector.ts';

const read = new Map<string, readonly string[]>();

/** Certificates (PEM) of the trusted authorities, read once. */
export function authoritiesOf({ trust }: Pick<ConnectionRequest, 'trust'>): readonly string[] {
  const key = trust ?? '';
  const authorities = read.get(key) ?? readAuthorities(trust);
  read.set(key, authorities);
  return authorities;
}

function readAuthorities(trust: ConnectionRequest['trust']): readonly string[] {
  // Never used for verification: without a list Bun would read its own, which takes long.
  if (trust === null) return tls.rootCertificates.slice(0, 1);
  if (trust === 'system') return tls.getCACertificates('system');
  return [readPlainTextSync(trust)];
}
