import type { TransferErrorCode, TransferResult } from '../../transfer-client.ts';
import type { SplitTransferRequest } from '../../transfer-parts.ts';

/** A page's result of a transfer; its error is only as specific as a page can know. */
export interface PageTransfer extends Omit<TransferResult, 'askedAtMs' | 'keyLog' | 'error'> {
  /** By the page's clock, in ms since its navigation. */
  askedAtPageMs: number;
  error: { code: TransferErrorCode | 'network'; reason: string } | null;
}

/** JavaScript to evaluate in a page of the site; its result is a promise of a PageTransfer. */
export function transferExpression(request: SplitTransferRequest): string {
  return `(${transferInPage.toString()})(${JSON.stringify(request)})`;
}

// Runs in the page, so it must not use variables from outside.
async function transferInPage(request: SplitTransferRequest): Promise<PageTransfer> {
  const STEP_MS = 100;
  const BLOCK_BYTES = 1_000_000;
  const { protocol, direction, path, parts, bytes, durationMs, timeoutMs } = request;
  const stopping = new AbortController();
  const { signal } = stopping;
  const series: PageTransfer['series'] = [];
  let firstByteMs: number | null = null;
  let lastByteMs: number | null = null;
  let bodyBytes = 0;

  const failure = (code: TransferErrorCode | 'network', message: string) =>
    Object.assign(new Error(message), { code });
  const assertStatus = (status: number, part: (typeof parts)[number]) => {
    if (status === part.status) return;
    const text = `${part.method} ${path}: expected status ${part.status}, got ${status}.`;
    throw failure('http-error', text);
  };

  const took = (count: number) => {
    if (count === 0 || signal.aborted) return;
    const atMs = performance.now() - askedAtPageMs;
    firstByteMs ??= atMs;
    bodyBytes += count;
    if (direction === 'download') lastByteMs = atMs;
  };

  const download = async (part: (typeof parts)[number]) => {
    const headers: Record<string, string> = part.range === null ? {} : { range: part.range };
    const lost = ({ message }: Error) => {
      throw failure('network', message);
    };
    // The cache would make requests for the same file wait for each other.
    const response = await fetch(path, { cache: 'no-store', headers, signal }).catch(lost);
    assertStatus(response.status, part);
    const reader = response.body?.getReader();
    let got = 0;
    for (;;) {
      const { done, value } = (await reader?.read().catch(lost)) ?? { done: true };
      if (done || value === undefined) break;
      got += value.byteLength;
      took(value.byteLength);
    }
    if (got === part.bytes) return;
    const text = `GET ${path}: expected a body of ${part.bytes} bytes, got ${got} and then its end.`;
    throw failure('cut-off', text);
  };

  // A repeated block avoids holding the whole upload in memory.
  const block = new Blob([new Uint8Array(BLOCK_BYTES).fill(0x71)]);
  const bodies = parts.map((part) => {
    const whole = new Array<Blob>(Math.floor(part.bytes / BLOCK_BYTES)).fill(block);
    return new Blob([...whole, block.slice(0, part.bytes % BLOCK_BYTES)]);
  });
  // Reading the end of a blob ensures that all of it has reached the browser's process.
  if (direction === 'upload') await Promise.all(bodies.map((body) => body.slice(-1).text()));

  // Only XMLHttpRequest reports upload progress.
  const upload = (part: (typeof parts)[number], body: Blob) =>
    new Promise<void>((resolve, reject) => {
      const request = new XMLHttpRequest();
      let sent = 0;
      const sentBy = (loaded: number) => {
        took(loaded - sent);
        sent = loaded;
      };
      request.upload.onprogress = ({ loaded }) => sentBy(loaded);
      request.onload = () => {
        try {
          assertStatus(request.status, part);
          sentBy(part.bytes);
          resolve();
        } catch (error) {
          reject(error);
        }
      };
      request.onerror = () => reject(failure('network', 'the request failed'));
      signal.addEventListener('abort', () => request.abort());
      request.open('POST', path);
      request.send(body);
    });

  const transferPart = async (part: (typeof parts)[number], index: number) => {
    do {
      if (direction === 'download') await download(part);
      else await upload(part, bodies[index] as Blob);
    } while (durationMs !== null && !signal.aborted);
  };

  const askedAtPageMs = performance.now();
  const steps = setInterval(() => {
    series.push({ atMs: performance.now() - askedAtPageMs, bytes: bodyBytes });
  }, STEP_MS);
  const limit = new Promise<never>((_, reject) => {
    const text = () =>
      `${bodyBytes} of ${bytes} bytes were transferred within ${timeoutMs / 1000} s.`;
    setTimeout(() => reject(failure('timeout', text())), timeoutMs);
  });
  const stop = new Promise<void>((resolve) => {
    if (durationMs !== null) setTimeout(resolve, durationMs);
  });
  let error: PageTransfer['error'] = null;
  try {
    await Promise.race([Promise.all(parts.map(transferPart)), limit, stop]);
    if (lastByteMs === null || direction === 'upload') {
      lastByteMs = performance.now() - askedAtPageMs;
      firstByteMs ??= lastByteMs;
    }
  } catch (thrown) {
    const { code = 'client-failed', message } = thrown as {
      code?: TransferErrorCode;
      message: string;
    };
    error = { code, reason: message };
  }
  clearInterval(steps);
  const endMs = performance.now() - askedAtPageMs;
  stopping.abort();

  // Resource timings arrive shortly after the requests end.
  const timed = () =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ connectEnd }) => connectEnd > 0,
    );
  for (let waited = 0; timed().length === 0 && waited < 20; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const since = (times: number[]) =>
    times.length === 0 ? null : Math.min(...times) - askedAtPageMs;
  const connectMs = since(
    timed().flatMap(({ connectStart, connectEnd }) =>
      connectEnd > connectStart ? connectEnd : [],
    ),
  );
  const other = timed().find(({ nextHopProtocol }) => nextHopProtocol !== protocol);
  if (error === null && other) {
    const text = `expected a response by ${protocol}, got one by ${other.nextHopProtocol}`;
    error = { code: 'http-error', reason: text };
  }
  if (direction === 'upload' && error === null) {
    firstByteMs = since(timed().map(({ requestStart }) => requestStart)) ?? firstByteMs;
  }
  return {
    askedAtPageMs,
    connectMs,
    firstByteMs,
    lastByteMs,
    bodyBytes,
    series: [...series, { atMs: endMs, bytes: bodyBytes }],
    error,
  };
}
