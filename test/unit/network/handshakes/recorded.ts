import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TappedPacket } from '../../../../network/agent.ts';

/** Packets of real connections, captured by a tap. */
export interface Recording {
  packets: TappedPacket[];
  keyLog: string;
}

/**
 * A recording by `recorded/record.ts`: of Chromium with this project's servers, or of openssl with
 * openssl; or of Firefox 153 with Caddy, made by hand.
 */
export function recording(name: string): Recording {
  const file = path.join(import.meta.dirname, 'recorded', `${name}.json`);
  const { packets, keyLog } = JSON.parse(readFileSync(file, 'utf8')) as {
    packets: { toServer: boolean; bytes: string }[];
    keyLog: string;
  };
  return {
    packets: packets.map(({ toServer, bytes }, index) => ({
      toServer,
      timeNs: BigInt(index),
      bytes: Buffer.from(bytes, 'base64'),
    })),
    keyLog,
  };
}

export const IP_BYTES = 20;

export function clientPortOf({ toServer, bytes }: TappedPacket): number {
  return bytes.readUInt16BE(toServer ? IP_BYTES : IP_BYTES + 2);
}

export const RECORDINGS = [
  'h3-full-then-early-data',
  'h2-full-then-resumed',
  'h2-full-then-resumed-tls-1-2',
  'openssl-early-data-to-another-server',
  'openssl-asked-for-another-hello',
  'firefox-h3',
  'firefox-h2',
] as const;
