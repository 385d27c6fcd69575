import { DIRECTIONS } from '../../clients/transfer-client.ts';
import { type OwnChoices, requiredChoices } from '../../ground/records/own-choices.ts';
import { BOUNDS, within } from '../../ground/records/ranges.ts';
import * as s from '../../ground/records/schema.ts';
import { PROFILES } from './profiles/profile.ts';

const transferChoicesSchema = s.object(
  {
    direction: s.oneOf(DIRECTIONS, 'Direction of the bodies, from the client’s view.'),
    client: s.name('The client: a folder of clients/.'),
    streamWindowBytes: s.orNull(
      s.count(
        'Stream window of the client, in bytes; null: its default.',
        within(BOUNDS.windowBytes),
      ),
    ),
    receiveWindowBytes: s.orNull(
      s.count(
        'Connection window, in bytes: of the client for QUIC, of its kernel for TCP; null: their defaults.',
        within(BOUNDS.windowBytes),
      ),
    ),
    explains: s.flag('Whether a transfer of each kind is repeated with its limit relaxed.'),
    profiles: s.optional(
      s.list(s.oneOf(PROFILES, ''), 'Profiles made after each warm-up; absent: no profiles.'),
    ),
  },
  'Settings of transfers; absent in other experiments, and before format 5.5.',
);

export type TransferChoices = s.Static<typeof transferChoicesSchema>;

export const TRANSFER_CHOICES: OwnChoices<typeof transferChoicesSchema> = {
  name: 'transfers',
  schema: transferChoicesSchema,
};

export function transfersOf(plan: Parameters<typeof requiredChoices>[0]): TransferChoices {
  return requiredChoices(plan, TRANSFER_CHOICES);
}
