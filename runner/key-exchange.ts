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
 * The key exchange that clients and servers are to agree on.
 * @throws UsageError when one of them does not support it, or has no option for it
 */
export function chooseKeyExchange(
  { 'key-exchange': group, tls }: Pick<RunValues, 'key-exchange' | 'tls'>,
  arms: readonly Stack[],
  client: string,
): KeyExchange {
  if (group === DEFAULT_KEY_EXCHANGE) return group;
  const refuse = (why: string): never => {
    throw new UsageError(`--key-exchange ${group}: ${why}`);
  };
  const secured = arms.filter((arm) => transportOf(arm) !== 'tcp' && arm.protocol !== 'tcp');
  const own = secured.find((arm) => arm.own);
  if (own) {
    refuse(
      `${own.stack} is a server of your own, which the run cannot configure. Configure it for ${KEY_EXCHANGE_GROUPS[group]} yourself, and omit --key-exchange: the records show what it agreed on.`,
    );
  }
  const choosing = secured.find(({ choosesKeyExchange }) => choosesKeyExchange);
  if (choosing) {
    refuse(
      `${choosing.stack} takes the first choice of the client, and cannot be configured. Omit --key-exchange: the records show what they agreed on.`,
    );
  }
  const unable = secured.find(({ keyExchanges }) => !keyExchanges?.includes(group));
  if (unable) {
    const able = STACKS.filter(({ keyExchanges }) => keyExchanges?.includes(group));
    refuse(
      `${unable.stack} supports only ${DEFAULT_KEY_EXCHANGE}. Stacks that support it: ${able.map(({ stack }) => stack).join(', ')}. Name some of these by --stacks, or omit --key-exchange.`,
    );
  }
  if (secured.some((arm) => transportOf(arm) === 'tls1.2')) {
    refuse('TLS 1.2 has no such key exchange. Remove tls1.2 from --via.');
  }
  if (tls === '1.2') refuse('TLS 1.2 has no such key exchange. Omit --tls 1.2.');
  const clients = clientsFor('connect');
  const named = clients.find(({ name }) => name === client);
  if (named && !named.keyExchanges.includes(group)) {
    const able = clients.filter(({ keyExchanges }) => keyExchanges.includes(group));
    refuse(
      `${named.label} offers ${named.keyExchanges.join(', ')} alone. Use --client ${able.map(({ name }) => shellWord(name)).join(' or ')}.`,
    );
  }
  return group;
}
