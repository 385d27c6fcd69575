import assert from 'node:assert/strict';
import { readMachine } from '../../../runner/machine.ts';
import type { Server } from '../../../runner/servers.ts';
import type { ExchangeRequest, ExchangeResponse } from './exchange.ts';
import { exchangeH1 } from './h1.ts';
import { exchangeH2 } from './h2.ts';
import { exchangeH3 } from './h3.ts';

/**
 * Requests from a server by the protocol of its stack; by both in turn if it has both, whose
 * responses must be equal.
 */
export async function exchangeWith(
  server: Pick<Server, 'stack' | 'origins'>,
  requests: readonly ExchangeRequest[],
): Promise<ExchangeResponse[]> {
  switch (server.stack.protocol) {
    case 'h3':
      return exchangeH3(readMachine().bun, server.origins, requests);
    case 'h2+h3': {
      const [overTcp, overQuic] = await Promise.all(
        (['h2', 'h3'] as const).map((protocol) =>
          exchangeWith({ ...server, stack: { ...server.stack, protocol } }, requests),
        ),
      );
      assert.ok(overTcp && overQuic);
      assert.deepEqual(overQuic.map(withoutDate), overTcp.map(withoutDate));
      return overTcp;
    }
    case 'h2':
      return exchangeH2(server.origins, requests);
    case 'http/1.1':
    case 'http/1.0':
      return exchangeH1(server.origins, requests);
    default:
      throw new Error(`${server.stack.protocol} has no requests`);
  }
}

/** A response without time-dependent fields, the rest in order. */
function withoutDate({ lines, ...answer }: ExchangeResponse) {
  return { ...answer, lines: lines.filter(([name]) => name !== 'date').toSorted() };
}
