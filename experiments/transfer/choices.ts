import { DIRECTIONS } from '../../clients/transfer-client.ts';
import { type OwnChoices, requiredChoices } from '../../ground/records/own-choices.ts';
import { BOUNDS, within } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';
import { PROFILES } from './profiles/profile.ts';

const transferChoicesSchema = s.object(
  {
    direction: s.oneOf(DIRECTIONS, 'Which way the bodies go, as the client sees it.'),
    client: s.name('The client: a folder of clients/.'),
    streamWindowBytes: s.orNull(
      s.count(
        'Window of a stream that the client offers, in bytes; null: what it has by itself.',
        within(BOUNDS.windowBytes),
      ),
    ),
    receiveWindowBytes: s.orNull(
      s.count(
        'Window of a connection that the client offers, by QUIC itself, by TCP its kernel, in bytes; null: what they have.',
        within(BOUNDS.windowBytes),
      ),
    ),
    explains: s.flag('Whether a transfer of each kind is repeated with its limit raised.'),
    profiles: s.optional(
      s.list(s.oneOf(PROFILES, ''), 'What was looked at after each warm-up; absent: nothing.'),
    ),
  },
  'What only transfers have; absent in other experiments, and before format 5.5.',
);

export type TransferChoices = s.Static<typeof transferChoicesSchema>;

/** Its part of the choices of run.json. */
export const TRANSFER_CHOICES: OwnChoices<typeof transferChoicesSchema> = {
  name: 'transfers',
  schema: transferChoicesSchema,
};

/** What transfers of a plan are like. */
export function transfersOf(plan: Parameters<typeof requiredChoices>[0]): TransferChoices {
  return requiredChoices(plan, TRANSFER_CHOICES);
}
