import { clientsFor } from '../clients/index.ts';
import { transportOf } from '../experiments/arms.ts';
import type { RunValues } from '../ground/options/common.ts';
import {
  DEFAULT_KEY_EXCHANGE,
  KEY_EXCHANGE_GROUPS,
  type KeyExchange,
} from '../ground/records/key-exchange.ts';
import type { Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { STACKS } from '../servers/index.ts';

/**
 * What clients and servers are to agree on.
 * @throws UsageError where one of them cannot do it, or cannot be told
 */
export function chooseKeyExchange(
  { 'key-exchange': asked, tls }: Pick<RunValues, 'key-exchange' | 'tls'>,
  arms: readonly Stack[],
  client: string,
): KeyExchange {
  if (asked === DEFAULT_KEY_EXCHANGE) return asked;
  const refuse = (why: string): never => {
    throw new UsageError(`--key-exchange ${asked}: ${why}`);
  };
  const secured = arms.filter((arm) => transportOf(arm) !== 'tcp' && arm.protocol !== 'tcp');
  const own = secured.find((arm) => arm.own);
  if (own) {
    refuse(
      `${own.stack} is a server of your own, which nobody tells. Have it agree on ${KEY_EXCHANGE_GROUPS[asked]} by its own settings, and leave --key-exchange out: the records say what it agreed on.`,
    );
  }
  const unable = secured.find(({ keyExchanges }) => !keyExchanges?.includes(asked));
  if (unable) {
    const able = STACKS.filter(({ keyExchanges }) => keyExchanges?.includes(asked));
    refuse(
      `${unable.stack} has ${DEFAULT_KEY_EXCHANGE} alone. Those that have it: ${able.map(({ stack }) => stack).join(', ')}. Name some of these by --stacks, or leave --key-exchange out.`,
    );
  }
  if (secured.some((arm) => transportOf(arm) === 'tls1.2')) {
    refuse('TLS 1.2 has no such key exchange. Leave tls1.2 out of --via.');
  }
  if (tls === '1.2') refuse('TLS 1.2 has no such key exchange. Leave --tls 1.2 out.');
  const clients = clientsFor('connect');
  const named = clients.find(({ name }) => name === client);
  if (named && !named.keyExchanges.includes(asked)) {
    const able = clients.filter(({ keyExchanges }) => keyExchanges.includes(asked));
    refuse(
      `${named.label} offers ${named.keyExchanges.join(', ')} alone. Use --client ${able.map(({ name }) => shellWord(name)).join(' or ')}.`,
    );
  }
  return asked;
}
