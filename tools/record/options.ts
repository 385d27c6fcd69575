import { GROUP } from '../../ground/options/command.ts';
import { FLAG, text, wholeNumber } from '../../ground/options/readers.ts';
import { optionGroup, type Values } from '../../ground/options/row.ts';
import { authoritiesFile } from '../../ground/options/trust.ts';
import { DESKTOP, type Device, PHONE } from '../../ground/records/device.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import { UsageError } from '../../ground/system/errors.ts';

export const RECORD_OPTIONS = optionGroup(GROUP, 'invocation', {
  name: {
    argument: 'NAME',
    help: 'name of the site in the cache (default: the host and path, for a phone with -mobile, or with -recorded if that name belongs to a site that was not recorded); replaces a recorded site of that name',
    read: text,
  },
  wait: {
    argument: 'S',
    help: 'stops once the page has requested nothing for 2 seconds, at most this many seconds after its load event (and scrolling), 0 to 3600',
    read: wholeNumber([0, 3600]),
    byDefault: 30,
  },
  timeout: {
    argument: 'S',
    help: 'seconds after which a page without a load event counts as failed, 1 to 3600',
    read: wholeNumber([1, 3600]),
    byDefault: 60,
  },
  scroll: {
    ...FLAG,
    help: 'scrolls to the end of the page and back, so that lazy content loads',
  },
  viewport: {
    argument: 'WxH',
    help: ({ desktop }) =>
      `size of the page's window in CSS pixels (default ${desktop}); loads are then measured with it`,
    read: text,
  },
  trust: {
    argument: 'FILE',
    help: 'certificates of further authorities to trust, PEM (default: the authorities of Chromium)',
    read: authoritiesFile,
  },
  mobile: {
    ...FLAG,
    help: ({ phone }) =>
      `emulates a phone: ${phone}, touch, the user agent of a mobile browser; loads are then measured on it`,
  },
});

export type RecordValues = Values<typeof RECORD_OPTIONS>;

/** Checked options of `npm run record`, with defaults. */
export interface RecordOptions {
  /** Normalized. */
  url: string;
  /** Name of the site in the cache; null: that of the page and device. */
  name: string | null;
  device: Device;
  scroll: boolean;
  waitS: number;
  timeoutS: number;
  /** PEM file of further authorities to trust; absent: Chromium's own alone. */
  trust?: string;
}

/** @throws UsageError with the wrong value and the valid ones */
export function recordOptions(address: string, values: RecordValues): RecordOptions {
  const { name, wait, timeout, scroll, viewport, mobile, trust } = values;
  const device = mobile ? PHONE : DESKTOP;
  return {
    url: readUrl(address),
    name,
    device: viewport === null ? device : { ...device, ...readSize(viewport) },
    scroll,
    waitS: wait,
    timeoutS: timeout,
    ...(trust !== null && { trust }),
  };
}

/** Usual name of a recording of the page with this name. */
export function recordingName(page: string, { mobile }: Device): string {
  return mobile ? `${page}-mobile` : page;
}

function readUrl(address: string): string {
  // `localhost:8000` looks like a scheme too.
  const text = /^[a-z][a-z0-9+.-]*:(?!\d+(\/|$))/i.test(address) ? address : `https://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new UsageError(
      `${address} is not the URL of a page: expected, for example, https://www.example.org/.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('A URL with a user name or password cannot be recorded.');
  }
  url.hash = '';
  return url.href;
}

function readSize(text: string): Pick<Device, 'widthPx' | 'heightPx'> {
  const [, width, height] = /^(\d+)x(\d+)$/i.exec(text) ?? [];
  const [widthPx, heightPx] = [Number(width), Number(height)];
  const [least, most] = BOUNDS.windowPx;
  if ([widthPx, heightPx].every((px) => px >= least && px <= most)) return { widthPx, heightPx };
  throw new UsageError(
    `--viewport ${text}: expected width x height, as 1366x768, each from ${least} to ${most}.`,
  );
}
