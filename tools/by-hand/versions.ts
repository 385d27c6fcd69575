import type { HttpVersion } from '../../ground/records/connection-transport.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { UsageError } from '../../ground/system/errors.ts';

/**
 * The version of HTTP to ask a stack by.
 * @throws UsageError for one that it does not speak
 */
export function versionFor(
  { stack, protocol }: { stack: string; protocol: Protocol },
  via: HttpVersion | null,
): HttpVersion {
  const spoken = versionsOf(protocol);
  const [first] = spoken;
  if (first === undefined) throw new UsageError(`--stack ${stack}: it speaks no HTTP.`);
  if (via === null || spoken.includes(via)) return via ?? first;
  throw new UsageError(`--via ${via}: ${stack} speaks ${spoken.join(' and ')}.`);
}

/** The versions of HTTP that are spoken by a protocol, the newest first. */
export function versionsOf(protocol: Protocol): readonly HttpVersion[] {
  switch (protocol) {
    case 'h2+h3':
      return ['h3', 'h2'];
    case 'h3':
    case 'h2':
      return [protocol];
    case 'http/1.1':
    case 'http/1.0':
      return ['h1.1'];
    default:
      return [];
  }
}
