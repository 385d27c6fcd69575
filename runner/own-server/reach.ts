import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Stack } from '../../ground/stack.ts';
import { ServerError } from '../../ground/system/errors.ts';
import { UPLINK_ADDRESS } from '../../network/uplink.ts';
import { urlOf } from '../../servers/own-stack.ts';

/** How the path reaches a running server. */
export interface Reach {
  ip: string;
  port: number;
  /** Whether it runs on this machine, where its sockets and its TCP can be read. */
  isHere: boolean;
}

/** Origin of each stack with a running server, and how it is reached. */
export type Reaches = ReadonlyMap<string, Reach>;

/**
 * Resolves the addresses of running servers.
 * @throws ServerError for a name without an address that the path can reach
 */
export async function reachesOf(stacks: readonly Stack[]): Promise<Reaches> {
  const reaches = new Map<string, Reach>();
  for (const stack of stacks) {
    const url = urlOf(stack);
    if (url !== null) reaches.set(url, await reachOf(url, stack.stack));
  }
  return reaches;
}

async function reachOf(url: string, stack: string): Promise<Reach> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const ip = host === '::1' ? '127.0.0.1' : await addressOf(host, stack, url);
  const isLoopback = ip.startsWith('127.') || ip === '0.0.0.0';
  return {
    // Loopback is only reachable locally, so the path uses the machine's end of the uplink.
    ip: isLoopback ? UPLINK_ADDRESS : ip,
    port: Number(port || 443),
    isHere: isLoopback || isOfThisMachine(ip),
  };
}

async function addressOf(host: string, stack: string, url: string): Promise<string> {
  if (isIPv6(host)) throw unreachable(stack, url, `${host}, which is IPv6`);
  try {
    return (await lookup(host, { family: 4 })).address;
  } catch (error) {
    throw unreachable(stack, url, `none for ${host} (${(error as NodeJS.ErrnoException).code})`);
  }
}

function unreachable(stack: string, url: string, got: string): ServerError {
  return new ServerError(
    `${stack} at ${url} cannot be reached: expected an IPv4 address, which is all that the path has, got ${got}. Name the server by its IPv4 address, or by localhost if it runs here.`,
    stack,
  );
}

function isOfThisMachine(ip: string): boolean {
  return Object.values(networkInterfaces()).some((own) =>
    own?.some(({ address }) => address === ip),
  );
}
