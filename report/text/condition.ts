import { variantName, variantPhrase, variantText } from '../../experiments/index.ts';
import {
  type AskedNetwork,
  type BurstLoss,
  isLive,
  type PathEvent,
  PUBLISHED_NETWORK,
  type UdpTreatment,
} from '../../records/network.ts';
import type { AskedTrace } from '../../records/trace.ts';
import { countText, decimalText } from './number.ts';

/** A condition in words: the network's numbers, and the variant where it is not the usual one. */
export function conditionText(network: AskedNetwork, variant = ''): string {
  return [networkText(network), variantText(variant)].filter((text) => text !== '').join(', ');
}

/** A condition as the beginning of a sentence: `With no added delay`, `On a resumed visit with 30 ms added`. */
export function conditionPhrase(network: AskedNetwork, variant: string): string {
  const words = networkText(network);
  const phrase = variantPhrase(variant);
  if (foundNetwork(network) !== null) {
    return phrase === '' ? `Over ${words}` : `With ${phrase}, over ${words}`;
  }
  return phrase === ''
    ? `With ${words}`
    : `On ${phrase} with ${words.replace(' round-trip time added', ' added')}`;
}

/** A condition within a sentence: `with 30 ms round-trip time added`. */
export function sharedPhrase(network: AskedNetwork, variant: string): string {
  const phrase = conditionPhrase(network, variant);
  return phrase.charAt(0).toLowerCase() + phrase.slice(1);
}

/** What is done to a path on purpose beside its numbers: fields of a network that it may lack. */
export const TREATMENTS = ['udp', 'event', 'lostPacket'] as const;

/** What such a field has in words, where the network lacks it too. */
export function treatmentText(
  treatment: (typeof TREATMENTS)[number],
  { udp, event, lostPacket }: AskedNetwork,
): string {
  switch (treatment) {
    case 'udp':
      return udp ? udpText(udp) : 'UDP passed';
    case 'event':
      return event ? eventText(event) : 'no event on the path';
    case 'lostPacket':
      return lostPacket === undefined ? 'none lost on purpose' : lostPacketText(lostPacket);
  }
}

/** What a network is called that is as it is, to which nobody added anything; null: it is one of the bench's. */
function foundNetwork(network: AskedNetwork): string | null {
  if (isLive(network)) return 'the machine’s own network';
  return network.name === PUBLISHED_NETWORK.name
    ? 'the network of the published measurements'
    : null;
}

/** The numbers of a network condition in words. */
function networkText(network: AskedNetwork): string {
  const found = foundNetwork(network);
  if (found !== null) return found;
  const { rttMs, downKbps, upKbps, lossPercent, jitterMs, burstLoss, queueBdp } = network;
  const { trace, traceUp, udp, event, lostPacket } = network;
  const parts = [rttMs === 0 ? 'no added delay' : `${decimalText(rttMs)} ms round-trip time added`];
  if (jitterMs > 0)
    parts.push(`± ${decimalText(jitterMs)} ms jitter each way, packets overtake each other`);
  if (downKbps !== null) parts.push(`${countText(downKbps)} kbit/s down`);
  if (upKbps !== null) parts.push(`${countText(upKbps)} kbit/s up`);
  if (trace) parts.push(`${traceText(trace)} down`);
  if (traceUp) parts.push(`${traceText(traceUp)} up`);
  if (lossPercent > 0) parts.push(`${decimalText(lossPercent)} % loss each way`);
  if (burstLoss && burstLoss.enterPercent > 0) {
    const share = `${decimalText(burstLossPercent(burstLoss), 1)} % lost each way in bursts`;
    const { leavePercent } = burstLoss;
    // The mean length of a burst that ends with this chance after each of its packets.
    const length =
      leavePercent > 0 ? ` of ${decimalText(100 / leavePercent, 1)} packets on average` : '';
    parts.push(share + length);
  }
  if (queueBdp !== undefined) {
    parts.push(`a queue of ${decimalText(queueBdp)} × the bandwidth-delay product`);
  }
  if (udp) parts.push(udpText(udp));
  if (lostPacket !== undefined) parts.push(lostPacketText(lostPacket));
  if (event) parts.push(eventText(event));
  return parts.join(', ');
}

function traceText({ name, meanKbps }: AskedTrace): string {
  return `the recorded link ${name} (${countText(Math.round(meanKbps))} kbit/s on average)`;
}

const EVENTS: Readonly<Record<PathEvent['kind'], string>> = {
  rebind: 'other client ports',
  address: 'another client address',
  cut: 'a cut',
};

function eventText({ kind, atMs, lastsMs }: PathEvent): string {
  const length = lastsMs === undefined ? '' : ` of ${countText(lastsMs)} ms`;
  return `${EVENTS[kind]}${length} after ${countText(atMs)} ms`;
}

function lostPacketText(number: number): string {
  return `data packet ${countText(number)} lost`;
}

function udpText({ treatment, kbps }: UdpTreatment): string {
  return kbps === null
    ? `UDP ${treatment}`
    : `UDP ${treatment} to ${countText(kbps)} kbit/s each way`;
}

/** The share of packets that bursts take: Gilbert's model spends so much of its time in the bad state. */
function burstLossPercent({ enterPercent, leavePercent }: BurstLoss): number {
  return enterPercent === 0 ? 0 : (100 * enterPercent) / (enterPercent + leavePercent);
}

/** The share of packets that the condition asks to be lost in one direction, by chance and in bursts together. */
export function askedLossPercent({ lossPercent, burstLoss }: AskedNetwork): number {
  const inBursts = burstLoss === null ? 0 : burstLossPercent(burstLoss);
  return inBursts + lossPercent * (1 - inBursts / 100);
}

/** A condition in a few words, for captions and labels: its network's name, and the visit where that is not the usual one. */
export function conditionName({
  network,
  variant,
}: {
  network: Pick<AskedNetwork, 'name'>;
  variant: string;
}): string {
  return [network.name, variantName(variant)].filter((text) => text !== '').join(', ');
}
