import { type AskedNetwork, askedNetworkSchema } from '../../records/network.ts';
import { fieldsOf } from './fields.ts';

/** What was asked for and nothing else, of a record that may hold more. */
export function askedOf(network: AskedNetwork): AskedNetwork {
  return fieldsOf(askedNetworkSchema, network);
}

/** The same for the same network condition, name and numbers, and only then. */
export function networkKey(network: AskedNetwork): string {
  const { burstLoss, ...numbers } = askedOf(network);
  const burst = burstLoss && [burstLoss.enterPercent, burstLoss.leavePercent];
  return JSON.stringify([...Object.values(numbers), burst]);
}
