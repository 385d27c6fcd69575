import { readMachine } from '../../../runner/machine.ts';
import type { Server } from '../../../runner/servers.ts';
import type { ExchangeRequest, ExchangeResponse } from './exchange.ts';
import { exchangeH1 } from './h1.ts';
import { exchangeH2 } from './h2.ts';
import { exchangeH3 } from './h3.ts';

/** Asks a server by the protocol of its stack. */
export function exchangeWith(
  server: Pick<Server, 'stack' | 'origins'>,
  requests: readonly ExchangeRequest[],
): Promise<ExchangeResponse[]> {
  switch (server.stack.protocol) {
    case 'h3':
      return exchangeH3(readMachine().bun, server.origins, requests);
    case 'h2':
      return exchangeH2(server.origins, requests);
    case 'http/1.1':
    case 'http/1.0':
      return exchangeH1(server.origins, requests);
    default:
      throw new Error(`${server.stack.protocol} has no requests`);
  }
}
