import { toMicroseconds } from '../../har/durations.ts';
import type { HarTimings } from '../../har/har.ts';
import type { ChannelFacts } from '../channel-facts.ts';

const NONE: HarTimings = {
  blocked: -1,
  dns: -1,
  connect: -1,
  ssl: -1,
  send: 0,
  wait: 0,
  receive: 0,
};

/** Consecutive phases from the opening of the channel to the last byte; Firefox does not say when a request was sent completely. */
export function timingsOf(facts: ChannelFacts, captureEndMs: number): HarTimings {
  const { openedMs, requestStartMs, responseStartMs, status, cache } = facts;
  const endMs = endMsOf(facts, captureEndMs);
  if (status === 0) return { ...NONE, blocked: between(openedMs, endMs) };
  if (cache !== null || responseStartMs === 0) return { ...NONE, wait: between(openedMs, endMs) };
  // With early data the request leaves before its connection is complete.
  const sentMs = Math.max(openedMs, requestStartMs);
  const moment = (ms: number, leastMs: number) => Math.min(Math.max(ms, leastMs), sentMs);
  const hasDns = facts.dnsStartMs > 0 && facts.dnsEndMs > 0;
  const dnsStartMs = hasDns ? moment(facts.dnsStartMs, openedMs) : openedMs;
  const dnsEndMs = hasDns ? moment(facts.dnsEndMs, dnsStartMs) : openedMs;
  // A connection that was begun for another request has only an end.
  const hasConnect = facts.connectStartMs > 0 && facts.connectEndMs > 0;
  const connectStartMs = moment(facts.connectStartMs, dnsEndMs);
  const connectEndMs = moment(facts.connectEndMs, connectStartMs);
  const dns = hasDns ? between(dnsStartMs, dnsEndMs) : -1;
  const connect = hasConnect ? between(connectStartMs, connectEndMs) : -1;
  const hasTls = hasConnect && facts.tlsStartMs > 0;
  return {
    blocked: toMicroseconds(between(openedMs, sentMs) - Math.max(0, dns) - Math.max(0, connect)),
    dns,
    connect,
    ssl: hasTls ? between(moment(facts.tlsStartMs, connectStartMs), connectEndMs) : -1,
    send: 0,
    wait: between(sentMs, responseStartMs),
    receive: between(responseStartMs, endMs),
  };
}

/** Time of the last byte, or of the failure. */
export function endMsOf(
  { responseEndMs, endedMs }: Pick<ChannelFacts, 'responseEndMs' | 'endedMs'>,
  captureEndMs: number,
): number {
  return responseEndMs || (endedMs ?? captureEndMs);
}

function between(startMs: number, endMs: number): number {
  return toMicroseconds(Math.max(0, endMs - startMs));
}
