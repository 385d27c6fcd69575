import type { Values } from '../../ground/options/row.ts';
import { UsageError } from '../../ground/system/errors.ts';
import type { RECORD_OPTIONS } from '../../runner/command-line/commands/sites.ts';
import { DESKTOP, type Device, PHONE } from './device.ts';

/** The values of the options of `npm run record`. */
export type RecordValues = Values<typeof RECORD_OPTIONS>;

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

/**
 * What is to be recorded, and how.
 * @throws UsageError with the wrong value and the valid ones.
 */
export function recordOptions(address: string, values: RecordValues): RecordOptions {
  const { name, wait, timeout, scroll, viewport, mobile } = values;
  const device = mobile ? PHONE : DESKTOP;
  return {
    url: readUrl(address),
    name,
    device: viewport === null ? device : { ...device, ...readSize(viewport) },
    scroll,
    waitS: wait,
    timeoutS: timeout,
  };
}

function readUrl(address: string): string {
  // `localhost:8000` has the form of a scheme too.
  const text = /^[a-z][a-z0-9+.-]*:(?!\d+(\/|$))/i.test(address) ? address : `https://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new UsageError(
      `${address} is not the address of a page: expected, for example, https://www.example.org/.`,
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
