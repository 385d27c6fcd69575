import path from 'node:path';
import {
  orSeed,
  packedOrNot,
  partsOf,
  request,
  response,
} from '../../../../../test/long/fuzz-importers/archives.ts';
import { exchangesOf } from '../../../../../test/long/fuzz-importers/exchange.ts';
import { type FuzzMakers, oneFile } from '../../../../../test/long/fuzz-importers/input.ts';
import { maybeMutated } from '../../../../../test/long/fuzz-importers/mutation.ts';
import type { Choices } from '../../../../../test/long/fuzz-importers/random.ts';
import { seedsIn } from '../../../../../test/long/fuzz-importers/seeds.ts';

const SEEDS = [...seedsIn(path.join(import.meta.dirname, '../fixtures'), '*.wprgo').values()];

export const FUZZ: FuzzMakers = {
  'web-page-replay': (choices) =>
    oneFile(
      'a/a.wprgo',
      packedOrNot(
        choices,
        maybeMutated(
          choices,
          orSeed(choices, SEEDS, () => wprgo(choices)),
        ),
      ),
    ),
};

function wprgo(choices: Choices): Buffer {
  const requests: Record<string, Record<string, unknown[]>> = Object.create(null);
  for (const exchange of exchangesOf(choices)) {
    const { host } = partsOf(exchange.url);
    requests[host] ??= Object.create(null) as Record<string, unknown[]>;
    requests[host][exchange.url] ??= [];
    const answers = requests[host][exchange.url] as unknown[];
    answers.push({
      SerializedRequest: base64(choices, request(exchange)),
      SerializedResponse: base64(choices, response(exchange)),
      ...(choices.chance(3) ? { WebSocketMessages: [] } : {}),
    });
    if (choices.chance(3)) answers.push(choices.pick<unknown>([null, 5, [], {}, 'a']));
  }
  return Buffer.from(
    JSON.stringify({
      Requests: choices.chance(97)
        ? requests
        : choices.pick<unknown>([null, [], 5, { a: 5 }, { a: { b: 5 } }]),
      Certs: {},
      DeterministicTimeSeedMs: choices.pick<unknown>([1767225600000, 0, -1, 1e300, null, 'a']),
    }),
  );
}

function base64(choices: Choices, content: Buffer): unknown {
  if (choices.chance(95)) return content.toString('base64');
  return choices.pick<unknown>([
    '',
    null,
    '!',
    5,
    `${content.toString('base64')}=`,
    content.toString('base64url'),
  ]);
}
