import { parseArgs } from 'node:util';
import { UsageError } from '../../system/errors.ts';
import { readInteger } from '../option-values.ts';
import { DESKTOP, type Device, PHONE } from './device.ts';

/** The command line of `npm run record`, checked and with every default filled in. */
export interface RecordOptions {
  /** As a browser writes it. */
  url: string;
  /** Name of the site in the cache; null: by its host. */
  name: string | null;
  device: Device;
  scroll: boolean;
  waitS: number;
  timeoutS: number;
}

const DEFAULT_WAIT_S = 30;
const DEFAULT_TIMEOUT_S = 60;

/** What `npm run record -- --help` prints. */
export const HELP = `Loads a live page in Chromium, keeps what every host answered as a site of the cache, and replays it at once
to see whether it asks for the same again.

npm run record -- URL [options]

  URL                the page; without http:// or https:// in front, https is meant
  --name N           name of the site in the cache (default: the host, or <host>-recorded where the cache has another site
                     of that name); a site that was recorded under that name is replaced
  --wait S           the page is left when it has asked for nothing for 2 seconds, or after so many seconds from its
                     load event (and from the end of scrolling), 0 to 3600 (default ${DEFAULT_WAIT_S})
  --timeout S        seconds until a page without load event counts as failed, 1 to 3600 (default ${DEFAULT_TIMEOUT_S})
  --scroll           scrolls to the end of the page and back, so that what loads late is loaded too
  --viewport WxH     size of the page's window in CSS pixels (default ${sizeOf(DESKTOP)}, as in measured loads)
  --mobile           a phone: ${sizeOf(PHONE)} CSS pixels of ${PHONE.pixelRatio} device pixels, touch, the name of a mobile browser
  --help             prints this

Exit status: 0 recorded (differences at the replay are printed), 1 a bug, 2 wrong usage or no page, 3 this machine lacks
something, 4 a server failed at the replay, 5 the page could not be reached or does not end loading, 130 interrupted.`;

/**
 * Reads the command line; null: help was asked for.
 * @throws UsageError with the wrong value and the valid ones.
 */
export function readRecordOptions(args: readonly string[]): RecordOptions | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [address, ...more] = positionals;
  if (address === undefined) {
    throw new UsageError('URL is missing. Usage: npm run record -- URL [options]; see --help.');
  }
  if (more.length > 0) {
    throw new UsageError(`One URL at a time; there is also ${more.join(', ')}.`);
  }
  const device = values.mobile ? PHONE : DESKTOP;
  return {
    url: readUrl(address),
    name: values.name ?? null,
    device: values.viewport === undefined ? device : { ...device, ...readSize(values.viewport) },
    scroll: values.scroll ?? false,
    waitS: readInteger('wait', values.wait, DEFAULT_WAIT_S, [0, 3600]),
    timeoutS: readInteger('timeout', values.timeout, DEFAULT_TIMEOUT_S, [1, 3600]),
  };
}

/** Width and height as people write them: `1366x768`. */
export function sizeOf({ widthPx, heightPx }: Pick<Device, 'widthPx' | 'heightPx'>): string {
  return `${widthPx}x${heightPx}`;
}

const OPTIONS = {
  name: { type: 'string' },
  wait: { type: 'string' },
  timeout: { type: 'string' },
  scroll: { type: 'boolean' },
  viewport: { type: 'string' },
  mobile: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new UsageError(
      `${(error as Error).message.split('. ')[0]}. Options: ${names.join(', ')}.`,
    );
  }
}

function readUrl(address: string): string {
  // `localhost:8000` has the form of a scheme too.
  const text = /^[a-z][a-z0-9+.-]*:(?!\d+(\/|$))/i.test(address) ? address : `https://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new UsageError(
      `${address} is no address of a page: expected one as https://www.example.org/.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('A URL with a name or password in it cannot be recorded.');
  }
  url.hash = '';
  return url.href;
}

const MOST_PX = 10_000;

function readSize(text: string): Pick<Device, 'widthPx' | 'heightPx'> {
  const [, width, height] = /^(\d+)x(\d+)$/i.exec(text) ?? [];
  const [widthPx, heightPx] = [Number(width), Number(height)];
  if (widthPx >= 100 && widthPx <= MOST_PX && heightPx >= 100 && heightPx <= MOST_PX) {
    return { widthPx, heightPx };
  }
  throw new UsageError(
    `--viewport ${text}: expected width x height as 1366x768, each from 100 to ${MOST_PX}.`,
  );
}
