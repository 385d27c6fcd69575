import { bytesText, decimalText } from '../../../../kit/text/number.ts';
import type { Path } from '../../../../network/path.ts';
import { limitedByOf } from '../../limits/model.ts';
import type { Limit } from '../../records.ts';
import { LIMITED_TRANSFERS, type LimitedTransfer } from '../../test/e2e/limited-transfers.ts';
import { withTransfers } from '../../test/e2e/watched-transfers.ts';
import { conditionText, sharesText } from './texts.ts';

/** Prints what the model says of transfers of which it is known what holds them up. */
export async function measureKnown(path: Path): Promise<void> {
  console.log('| stack | size | condition | made scarce | told | share of the time | total |');
  console.log('|---|---|---|---|---|---|---|');
  let right = 0;
  for (const limited of LIMITED_TRANSFERS) {
    await withTransfers(path, limited, async ({ transfer }) => {
      // The first one warms both programs up.
      await transfer({ ...limited.special, network: {} });
      const { observed, made } = await transfer(limited.special);
      const told = observed && limitedByOf(observed);
      if (told?.limit === limited.limit) right++;
      print(limited, told?.limit ?? null, told?.observed ?? {}, made.error?.reason ?? null);
    });
  }
  console.log(`\n${right} of ${LIMITED_TRANSFERS.length} told right`);
}

function print(
  { stack, bytes, special, limit }: LimitedTransfer,
  told: Limit | null,
  seen: Readonly<Record<string, number | null>>,
  error: string | null,
): void {
  const cells = [
    stack,
    bytesText(bytes),
    conditionText(special),
    limit,
    told === limit ? told : `**${told ?? 'not told'}**`,
    error ?? sharesText(seen),
    `${decimalText(seen.totalMs ?? 0, 0)} ms`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
