import { withDeadline } from '../../../ground/system/deadline.ts';
import { inParts } from '../../transfer-parts.ts';
import type {
  AskedTransfer,
  TransferErrorCode,
  TransferMade,
  Transferrer,
  TransferringPlace,
} from '../../transferrer.ts';
import { untilCrash } from '../ending.ts';
import { LIMITS } from '../limits.ts';
import type { Place } from '../place.ts';
import { placesFor } from '../places.ts';
import { readKeyLog } from '../profile.ts';
import { openUnservedPage } from '../unserved-page.ts';
import { type PageTransfer, transferExpression } from './in-page.ts';

/** How much longer than a transfer may take its answer is waited for. */
const ANSWER_MS = 10_000;

/**
 * A browser that is kept for the transfers of one arm, each from a page in a context of its own.
 * @throws Error when the browser cannot be started
 */
export async function chromiumTransferrer(
  arm: string,
  { programs, enter, servers, url, signal }: TransferringPlace,
): Promise<Transferrer> {
  const served = servers.filter(({ stack }) => stack.stack === arm);
  const places = placesFor('context', served, { chromium: programs.chromium, enter, signal });
  let first: Place | null = await places.open(arm);
  const { browserPid } = first;
  let page: SitePage | null = null;
  const leave = async () => {
    const left = page?.place;
    page = null;
    // A browser that does not answer meets its end with the next transfer, which it fails.
    if (left) await withDeadline(left.leave(), LIMITS.browserAnswerMs, () => {});
  };
  return {
    pid: browserPid,
    get isWorn() {
      return places.isWorn;
    },
    async prepare() {
      await leave();
      const place = first ?? (await places.open(arm));
      first = null;
      page = await openPage(place, url);
    },
    async transfer(asked) {
      if (page === null || page.isUsed) throw new Error('a transfer that was not made ready');
      page.isUsed = true;
      return transferFrom(page, asked);
    },
    leave,
    close: () => places.close(),
  };
}

/** A page of the site that came over no network. */
interface SitePage {
  place: Place;
  /** When its clock began, by the machine's monotonic clock, in ms. */
  beganAtMs: number;
  /** What Chromium said of the network's errors. */
  errors: string[];
  /** Whether a transfer was made from it, whose connections may be open yet. */
  isUsed: boolean;
}

/** Opens an empty page of the site, so that it may ask for the site's files. Nothing goes over the path. */
async function openPage(place: Place, url: string): Promise<SitePage> {
  const { session } = place.tab;
  const errors: string[] = [];
  session.on('Log.entryAdded', ({ entry: { text } }) => {
    errors.push(...(/net::\w+/.exec(text) ?? []));
  });
  await session.send('Log.enable');
  const beganAtMs = await openUnservedPage(session, url, 'Files');
  return { place, errors, isUsed: false, beganAtMs };
}

async function transferFrom(
  { place, beganAtMs, errors }: SitePage,
  asked: AskedTransfer,
): Promise<TransferMade> {
  const { session } = place.tab;
  const broken = Promise.race([untilCrash(session), place.broken]).then(({ message }) => {
    throw new Error(message);
  });
  const answer = session.send('Runtime.evaluate', {
    expression: transferExpression(inParts(asked)),
    awaitPromise: true,
    returnByValue: true,
  });
  const limitMs = asked.timeoutMs + ANSWER_MS;
  const { result, exceptionDetails } = await withDeadline(
    Promise.race([answer, broken]),
    limitMs,
    () => {
      throw new Error(`Chromium did not tell of a transfer within ${limitMs / 1000} s.`);
    },
  );
  if (exceptionDetails) {
    throw new Error(`The page failed: ${exceptionDetails.exception?.description}`);
  }
  const { askedAtPageMs, error, ...made } = result.value as PageTransfer;
  const written = await readKeyLog(place.keyLogFile);
  return {
    ...made,
    askedAtMs: beganAtMs + askedAtPageMs,
    error: error && errorOf(error, made, errors),
    keyLog: written?.toString('latin1', place.keyLogFromByte) ?? '',
  };
}

// Of a connection that was never there, in the words of Chromium's net/base/net_error_list.h.
const NO_CONNECTION =
  /^net::ERR_(ADDRESS|CERT|CONNECTION_(FAILED|REFUSED|TIMED_OUT)|NAME|QUIC_HANDSHAKE|SSL)/;

/** A page is told that the network failed; how is in Chromium's log alone. */
function errorOf(
  { code, reason }: NonNullable<PageTransfer['error']>,
  { bodyBytes, connectMs }: Pick<PageTransfer, 'bodyBytes' | 'connectMs'>,
  errors: readonly string[],
): TransferMade['error'] {
  if (code !== 'network') return { code, reason };
  const said = errors[0] ?? reason;
  const isConnected = bodyBytes > 0 || connectMs !== null || !NO_CONNECTION.test(said);
  const own: TransferErrorCode = isConnected ? 'cut-off' : 'connect-failed';
  return { code: own, reason: `Chromium: ${said}` };
}
