import jpeg from 'jpeg-js';
import speedline from 'speedline-core';
import { FILM_LIMITS, type Film } from './record.ts';

interface TraceEvent {
  name: string;
  cat: string;
  ts: number;
  args: { data?: { isOutermostMainFrame?: boolean }; snapshot?: string };
}

type Frame = Awaited<ReturnType<typeof speedline>>['frames'][number];

/** Quality of JPEGs: the first one that makes the film small enough. */
const QUALITIES = [70, 55, 40, 25, 10];

/**
 * Makes the film of a load from its trace.
 * @param timings from the start of the navigation, as the page reports them; null: no such event
 * @throws Error if the trace has no navigation of the page, or no picture of what it painted
 */
export async function filmOf(
  trace: string,
  { largestPaintMs, loadMs }: Pick<Film, 'largestPaintMs' | 'loadMs'>,
): Promise<Film> {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const start = traceEvents.findLast(
    ({ name, args }) => name === 'navigationStart' && args.data?.isOutermostMainFrame,
  );
  if (start === undefined) throw new Error('the trace has no navigation of the page');
  const snapshots = traceEvents.filter(({ args }) => args.snapshot !== undefined);
  const { speedIndex, frames } = await speedline(
    snapshots.map(({ name, cat, ts, args: { snapshot = '' } }) => ({
      ...{ name, cat, ts, args: { snapshot } },
      tid: 0,
      dur: 0,
    })),
    // As in Lighthouse: decodes only one of frames that are alike.
    { timeOrigin: start.ts, include: 'speedIndex', fastMode: true },
  );
  const atMs = (frame: Frame) => Math.max(0, frame.getTimeStamp() - start.ts / 1000);
  const complete = frames.find((frame) => frame.getProgress() === 100);
  // Speedline rounds its own figure down, to less than the Speed Index of a single paint.
  const visuallyCompleteMs = complete ? atMs(complete) : 0;
  if (visuallyCompleteMs === 0 && largestPaintMs !== null) {
    throw new Error('the trace has no picture of what the page painted');
  }
  const kept = distinctFrames(frames);
  const size = sizeOf(kept[0]?.getParsedImage() ?? { width: 1, height: 1 });
  const pictures = encoded(
    kept.map((frame) => shrunk(frame.getParsedImage(), size)),
    size,
  );
  return {
    ...size,
    speedIndexMs: speedIndex,
    visuallyCompleteMs,
    largestPaintMs,
    loadMs,
    frames: kept.map((frame, index) => ({
      atMs: atMs(frame),
      completePercent: frame.getProgress(),
      jpeg: (pictures[index] as Buffer).toString('base64'),
    })),
  };
}

/** The first frame, the last one, and between them those that change the page most. */
function distinctFrames(frames: readonly Frame[]): Frame[] {
  const kept = [...frames];
  const changeAt = (index: number) => {
    const [before, frame] = [kept[index - 1], kept[index]];
    return before && frame ? Math.abs(frame.getProgress() - before.getProgress()) : 0;
  };
  while (kept.length > FILM_LIMITS.frames) {
    let least = 1;
    for (let index = 2; index < kept.length - 1; index++) {
      if (changeAt(index) < changeAt(least)) least = index;
    }
    kept.splice(least, 1);
  }
  return kept;
}

type Size = Pick<Film, 'widthPx' | 'heightPx'>;

interface Picture {
  width: number;
  height: number;
  /** Four bytes for each pixel. */
  data: Uint8Array;
}

function sizeOf({ width, height }: Pick<Picture, 'width' | 'height'>): Size {
  const scale = Math.min(1, FILM_LIMITS.widthPx / width, FILM_LIMITS.heightPx / height);
  return {
    widthPx: Math.max(1, Math.floor(scale * width)),
    heightPx: Math.max(1, Math.floor(scale * height)),
  };
}

/** Each pixel is the mean of those that it covers. */
function shrunk({ width, height, data }: Picture, { widthPx, heightPx }: Size): Buffer {
  const pixels = Buffer.alloc(4 * widthPx * heightPx, 255);
  for (let y = 0; y < heightPx; y++) {
    const [top, bottom] = covered(y, heightPx, height);
    for (let x = 0; x < widthPx; x++) {
      const [left, right] = covered(x, widthPx, width);
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let row = top; row < bottom; row++) {
          for (let column = left; column < right; column++) {
            sum += data[4 * (row * width + column) + channel] ?? 255;
          }
        }
        pixels[4 * (y * widthPx + x) + channel] = sum / ((bottom - top) * (right - left));
      }
    }
  }
  return pixels;
}

/** Range of the pixels of a side that one of fewer pixels covers. */
function covered(index: number, few: number, many: number): [from: number, to: number] {
  const from = Math.floor((index * many) / few);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * many) / few))];
}

function encoded(pixels: readonly Buffer[], { widthPx, heightPx }: Size): Buffer[] {
  let pictures: Buffer[] = [];
  for (const quality of QUALITIES) {
    pictures = pixels.map(
      (data) => jpeg.encode({ data, width: widthPx, height: heightPx }, quality).data,
    );
    if (pictures.reduce((sum, { length }) => sum + length, 0) <= FILM_LIMITS.jpegBytes) break;
  }
  return pictures;
}
