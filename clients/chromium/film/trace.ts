import type { CDPSession, Protocol } from 'puppeteer-core';
import { bytesText } from '../../../ground/system/bounded-buffer.ts';
import { withDeadline } from '../../../ground/system/deadline.ts';
import { LIMITS } from '../../browser-limits.ts';
import type { Trace } from '../../page-context.ts';

/** Pictures of the page, and the start of its navigation: further categories would slow the load. */
const CATEGORIES = ['disabled-by-default-devtools.screenshot', 'blink.user_timing'];

/** A load of some seconds has a tenth of this. */
const MOST_BYTES = 100_000_000;

/** Starts a trace with pictures of a page. The session of the browser itself gets no pictures. */
export async function startTrace(page: CDPSession, mostBytes = MOST_BYTES): Promise<Trace> {
  const complete = new Promise<Protocol.Tracing.TracingCompleteEvent>((resolve) => {
    page.once('Tracing.tracingComplete', resolve);
  });
  await page.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] },
  });
  const end = async () => {
    await page.send('Tracing.end');
    const { stream, dataLossOccurred } = await complete;
    if (stream === undefined) throw new Error('Chromium returned no trace');
    const text = await readStream(page, stream, mostBytes);
    if (dataLossOccurred) throw new Error('Chromium lost a part of the trace');
    return text;
  };
  return { end: () => withDeadline(end(), LIMITS.browserAnswerMs, late) };
}

function late(): never {
  throw new Error(`Chromium did not return the trace within ${LIMITS.browserAnswerMs / 1000} s`);
}

async function readStream(page: CDPSession, handle: string, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for (let isOver = false; !isOver; ) {
      const { data, base64Encoded, eof } = await page.send('IO.read', { handle });
      const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
      bytes += chunk.length;
      if (bytes > mostBytes) {
        throw new Error(`the trace has more than ${bytesText(mostBytes)}`);
      }
      chunks.push(chunk);
      isOver = eof;
    }
  } finally {
    await page.send('IO.close', { handle });
  }
  return Buffer.concat(chunks).toString('utf8');
}
