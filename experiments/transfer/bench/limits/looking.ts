import { decimalText } from '../../../../kit/text/number.ts';
import type { Path } from '../../../../network/path.ts';
import { quantile } from '../../../../statistics/quantile.ts';
import { HTTP1 } from '../../../../test/e2e/stacks-by-protocol.ts';
import { withTransfers } from '../../test/e2e/watched-transfers.ts';

const STACKS = ['lsquic-h3', 'bun-h2', HTTP1.stack];
/** Nothing is added, so that the processor is the limit and what looking takes of it shows. */
const BYTES = 20_000_000;
const PAIRS = 30;

/** Prints what looking costs: total times with everything watched and with nothing, in turns. */
export async function measureLooking(path: Path): Promise<void> {
  console.log('| stack | watched by unwatched, median | quartiles |');
  console.log('|---|---|---|');
  for (const stack of STACKS) {
    const ratios: number[] = [];
    await withTransfers(path, { stack, bytes: BYTES }, (watched) =>
      withTransfers(path, { stack, bytes: BYTES, isSampled: false }, async (unwatched) => {
        await watched.transfer();
        await unwatched.unwatched();
        for (let pair = 0; pair < PAIRS; pair++) {
          const times = { watchedMs: 0, unwatchedMs: 0 };
          const takeTurns = [
            async () => {
              times.watchedMs = (await watched.transfer()).made.lastByteMs ?? Number.NaN;
            },
            async () => {
              times.unwatchedMs = (await unwatched.unwatched()).lastByteMs ?? Number.NaN;
            },
          ];
          for (const take of pair % 2 ? takeTurns.reverse() : takeTurns) await take();
          ratios.push(times.watchedMs / times.unwatchedMs);
        }
      }),
    );
    const [lower, middle, upper] = [0.25, 0.5, 0.75].map((share) =>
      decimalText(quantile(ratios, share) ?? Number.NaN, 3),
    );
    console.log(`| ${stack} | ${middle} | ${lower} to ${upper} |`);
  }
}
