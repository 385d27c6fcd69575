import {
  type AnyDimension,
  axisPosition,
  DIMENSION_ROWS,
  dimensionsOf,
} from '../ground/records/dimensions.ts';
import {
  burstLossPercent,
  isLive,
  type NetworkCondition,
  NOTHING_ADDED,
  PUBLISHED_NETWORK,
} from '../ground/records/network.ts';
import { countText, decimalText } from '../kit/text/number.ts';
import { variantName, variantPhrase, variantText } from './index.ts';

const NUMBER_TEXTS = { countText, decimalText };

/** A condition in words: the network's numbers, and the variant if it is not the default. */
export function conditionText(network: NetworkCondition, variant = ''): string {
  return [networkText(network), variantText(variant)].filter((text) => text !== '').join(', ');
}

/** A condition at the beginning of a sentence: `With no added delay`, `On a resumed visit with 30 ms added`. */
export function conditionPhrase(network: NetworkCondition, variant: string): string {
  const words = networkText(network);
  const phrase = variantPhrase(variant);
  if (realNetworkText(network) !== null) {
    return phrase === '' ? `Over ${words}` : `With ${phrase}, over ${words}`;
  }
  return phrase === ''
    ? `With ${words}`
    : `On ${phrase} with ${words.replace(' round-trip time added', ' added')}`;
}

/** A condition within a sentence: `with 30 ms round-trip time added`. */
export function sharedPhrase(network: NetworkCondition, variant: string): string {
  const phrase = conditionPhrase(network, variant);
  return phrase.charAt(0).toLowerCase() + phrase.slice(1);
}

/** Name of a real network; null: a network of the bench. */
function realNetworkText(network: NetworkCondition): string | null {
  if (isLive(network)) return 'the machine’s own network';
  return network.name === PUBLISHED_NETWORK.name
    ? 'the network of the published measurements'
    : null;
}

/** The dimensions of a network condition in words. */
function networkText(network: NetworkCondition): string {
  const found = realNetworkText(network);
  if (found !== null) return found;
  const values = new Map(dimensionsOf(network).map(({ row, value }) => [row, value]));
  const parts = [...DIMENSION_ROWS]
    .sort((a, b) => Number(b.isOfDelay ?? false) - Number(a.isOfDelay ?? false))
    .map((row) =>
      values.has(row) ? row.text(values.get(row), NUMBER_TEXTS) : (row.textOfNone ?? ''),
    );
  return parts.filter((text) => text !== '').join(', ');
}

/** The value of one dimension in words, or that the network lacks it. */
export function comparedText(
  { text, comparedText, field }: AnyDimension,
  network: NetworkCondition,
) {
  return (comparedText ?? text)(network[field], NUMBER_TEXTS);
}

/** Value of a dimension in a list of values: `30 ms`, `bbr`, `no limit`. */
export function listedText(dimension: AnyDimension, network: NetworkCondition): string {
  const place = axisPosition(dimension, network);
  if (place !== null) return placeText(dimension, place);
  const { field, lacking = 'none', name, listed = name } = dimension;
  const value = network[field] ?? null;
  if (value === null) return lacking;
  return typeof value === 'string' ? value : listed(value, NUMBER_TEXTS);
}

/** A place on the axis of a dimension, with its unit. */
export function placeText({ scale }: AnyDimension, place: number): string {
  return `${decimalText(place)} ${scale?.unit ?? ''}`.trimEnd();
}

/** A condition without one dimension, in words; empty: it has nothing else. */
export function restText(
  { field }: AnyDimension,
  network: NetworkCondition,
  variant: string,
): string {
  const rest = dimensionsOf(network).filter(({ row }) => row.field !== field);
  return [...rest.map(({ row, value }) => row.text(value, NUMBER_TEXTS)), variantText(variant)]
    .filter((text) => text !== '')
    .join(', ');
}

/** Share of packets that the condition loses in one direction, by chance and in bursts together. */
export function configuredLossPercent({ lossPercent, burstLoss }: NetworkCondition): number {
  const inBursts = burstLossPercent(burstLoss);
  return inBursts + lossPercent * (1 - inBursts / 100);
}

/** A condition in a few words: its network's name, and the variant if it is not the default. */
export function conditionName({ network: { name }, variant }: NamedCondition): string {
  const network = name === NOTHING_ADDED.name ? networkText(NOTHING_ADDED) : name;
  return [network, variantName(variant)].filter((text) => text !== '').join(', ');
}

/** A condition by its network's name and by its numbers: `dsl: 50 ms round-trip time added, 1,500 kbit/s down`. */
export function namedConditionText(network: NetworkCondition, variant: string): string {
  const text = conditionText(network, variant);
  return network.name === NOTHING_ADDED.name ? text : `${network.name}: ${text}`;
}

interface NamedCondition {
  network: Pick<NetworkCondition, 'name'>;
  variant: string;
}
