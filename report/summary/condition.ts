import { type AskedNetwork, askedNetworkSchema } from '../../records/network.ts';
import { fieldsOf } from './fields.ts';

/** What was asked for and nothing else, of a record that may hold more. */
export function askedOf(network: AskedNetwork): AskedNetwork {
  return fieldsOf(askedNetworkSchema, network);
}

/** The same for the same network condition, name and numbers, and only then. */
export function networkKey(network: AskedNetwork): string {
  const { burstLoss, trace, traceUp, udp, event, ...numbers } = askedOf(network);
  return JSON.stringify([
    numbers,
    burstLoss && [burstLoss.enterPercent, burstLoss.leavePercent],
    trace && [trace.name, trace.sha256],
    traceUp && [traceUp.name, traceUp.sha256],
    udp && [udp.treatment, udp.kbps],
    event && [event.kind, event.atMs],
  ]);
}
