import type { AskedNetwork } from '../../records/network.ts';

/** The same for the same network condition, name and numbers, and only then. */
export function conditionKey({
  name,
  rttMs,
  downKbps,
  upKbps,
  lossPercent,
  jitterMs,
  burstLoss,
}: AskedNetwork): string {
  const burst = burstLoss && [burstLoss.enterPercent, burstLoss.leavePercent];
  return JSON.stringify([name, rttMs, downKbps, upKbps, lossPercent, jitterMs, burst]);
}

/** What was asked for and nothing else, of a record that may hold more. */
export function askedOf({
  name,
  rttMs,
  downKbps,
  upKbps,
  lossPercent,
  jitterMs,
  burstLoss,
}: AskedNetwork): AskedNetwork {
  return { name, rttMs, downKbps, upKbps, lossPercent, jitterMs, burstLoss };
}
