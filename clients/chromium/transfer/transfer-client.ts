import { withDeadline } from '../../../ground/system/deadline.ts';
import { LIMITS } from '../../browser-limits.ts';
import { readKeyLog } from '../../profile-files.ts';
import type {
  TransferClient,
  TransferEnvironment,
  TransferErrorCode,
  TransferRequest,
  TransferResult,
} from '../../transfer-client.ts';
import { splitTransfer } from '../../transfer-parts.ts';
import { contextPoolFor } from '../context-pool.ts';
import { untilCrash } from '../ending.ts';
import type { LoadContext } from '../load-context.ts';
import { openUnservedPage } from '../unserved-page.ts';
import { type PageTransfer, transferExpression } from './in-page.ts';

/** Added to a transfer's timeout when waiting for its result. */
const ANSWER_MS = 10_000;

/**
 * Keeps a browser for the transfers of one arm, each from a page in a new browser context.
 * @throws Error if the browser cannot start
 */
export async function chromiumTransferClient(
  arm: string,
  { programs, enter, servers, url, signal }: TransferEnvironment,
): Promise<TransferClient> {
  const served = servers.filter(({ stack }) => stack.stack === arm);
  const contexts = contextPoolFor('context', served, {
    chromium: programs.chromium,
    enter,
    signal,
  });
  let first: LoadContext | null = await contexts.open(arm);
  const { browserPid } = first;
  let page: SitePage | null = null;
  const leave = async () => {
    const left = page?.place;
    page = null;
    // If the browser does not respond, the next transfer fails and ends it.
    if (left) await withDeadline(left.leave(), LIMITS.browserAnswerMs, () => {});
  };
  return {
    pid: browserPid,
    get isWorn() {
      return contexts.isWorn;
    },
    async prepare() {
      await leave();
      const context = first ?? (await contexts.open(arm));
      first = null;
      page = await openPage(context, url);
    },
    async transfer(request) {
      if (page === null || page.isUsed) throw new Error('a transfer without prepare()');
      page.isUsed = true;
      return transferFrom(page, request);
    },
    leave,
    close: () => contexts.close(),
  };
}

/** A page of the site that was not loaded over the network. */
interface SitePage {
  place: LoadContext;
  /** Start of the page's clock, by the machine's monotonic clock, in ms. */
  beganAtMs: number;
  /** Network errors that Chromium logged. */
  errors: string[];
  /** Whether it made a transfer, whose connections may still be open. */
  isUsed: boolean;
}

/** Opens an empty page of the site, so that it may request the site's files. Causes no traffic on the path. */
async function openPage(context: LoadContext, url: string): Promise<SitePage> {
  const { session } = context.tab;
  const errors: string[] = [];
  session.on('Log.entryAdded', ({ entry: { text } }) => {
    errors.push(...(/net::\w+/.exec(text) ?? []));
  });
  await session.send('Log.enable');
  const beganAtMs = await openUnservedPage(session, url, 'Files');
  return { place: context, errors, isUsed: false, beganAtMs };
}

async function transferFrom(
  { place: context, beganAtMs, errors }: SitePage,
  request: TransferRequest,
): Promise<TransferResult> {
  const { session } = context.tab;
  const broken = Promise.race([untilCrash(session), context.broken]).then(({ message }) => {
    throw new Error(message);
  });
  const answer = session.send('Runtime.evaluate', {
    expression: transferExpression(splitTransfer(request)),
    awaitPromise: true,
    returnByValue: true,
  });
  const limitMs = request.timeoutMs + ANSWER_MS;
  const { result, exceptionDetails } = await withDeadline(
    Promise.race([answer, broken]),
    limitMs,
    () => {
      throw new Error(`Chromium did not report a transfer within ${limitMs / 1000} s.`);
    },
  );
  if (exceptionDetails) {
    throw new Error(`The page failed: ${exceptionDetails.exception?.description}`);
  }
  const { requestedAtPageMs: askedAtPageMs, error, ...made } = result.value as PageTransfer;
  const written = await readKeyLog(context.keyLogFile);
  return {
    ...made,
    requestedAtMs: beganAtMs + askedAtPageMs,
    error: error && errorOf(error, made, errors),
    keyLog: written?.toString('latin1', context.keyLogFromByte) ?? '',
  };
}

// Errors without a connection, from Chromium's net/base/net_error_list.h.
const NO_CONNECTION =
  /^net::ERR_(ADDRESS|CERT|CONNECTION_(FAILED|REFUSED|TIMED_OUT)|NAME|QUIC_HANDSHAKE|SSL)/;

/** The page knows only that the network failed; Chromium's log has the error. */
function errorOf(
  { code, reason }: NonNullable<PageTransfer['error']>,
  { bodyBytes, connectMs }: Pick<PageTransfer, 'bodyBytes' | 'connectMs'>,
  errors: readonly string[],
): TransferResult['error'] {
  if (code !== 'network') return { code, reason };
  const said = errors[0] ?? reason;
  const isConnected = bodyBytes > 0 || connectMs !== null || !NO_CONNECTION.test(said);
  const own: TransferErrorCode = isConnected ? 'cut-off' : 'connect-failed';
  return { code: own, reason: `Chromium: ${said}` };
}
