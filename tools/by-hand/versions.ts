import type { HttpVersion } from '../../ground/records/connection-transport.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import { UsageError } from '../../ground/system/errors.ts';

/**
 * The HTTP version for a request to a stack.
 * @throws UsageError if the stack does not speak the option value
 */
export function versionFor(
  { stack, protocol }: { stack: string; protocol: Protocol },
  given: HttpVersion | null,
): HttpVersion {
  const spoken = versionsOf(protocol);
  const [first] = spoken;
  if (first === undefined) throw new UsageError(`--stack ${stack}: it speaks no HTTP.`);
  if (given === null || spoken.includes(given)) return given ?? first;
  throw new UsageError(`--via ${given}: ${stack} speaks ${spoken.join(' and ')}.`);
}

/** HTTP versions of a protocol, newest first. */
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
