import { BOUNDS, within } from './ranges.ts';
import * as s from './schema.ts';

export const deviceSchema = s.object(
  {
    widthPx: s.count('Width of the window in CSS pixels.', within(BOUNDS.windowPx)),
    heightPx: s.count('Height of the window in CSS pixels.', within(BOUNDS.windowPx)),
    pixelRatio: s.number('Device pixels for each CSS pixel.', within(BOUNDS.pixelRatio)),
    mobile: s.flag('Has a touch screen and the user agent of a mobile browser.'),
  },
  'Device that browsers emulate in page loads. Absent: a desktop of 1366x768 CSS pixels, as before format 6.1.',
);

export type Device = s.Static<typeof deviceSchema>;

/** A common laptop. */
export const DESKTOP: Device = { widthPx: 1366, heightPx: 768, pixelRatio: 1, mobile: false };

/** CSS pixels and pixel ratio of Google's Pixel 7. */
export const PHONE: Device = { widthPx: 412, heightPx: 915, pixelRatio: 2.625, mobile: true };

/** `1366x768`. */
export function sizeOf({ widthPx, heightPx }: Pick<Device, 'widthPx' | 'heightPx'>): string {
  return `${widthPx}x${heightPx}`;
}

/** `a phone of 412x915 CSS pixels`. */
export function deviceText(device: Device): string {
  return `a ${device.mobile ? 'phone' : 'desktop'} of ${sizeOf(device)} CSS pixels`;
}

export function isSameDevice(one: Device, other: Device): boolean {
  return FIELDS.every((field) => one[field] === other[field]);
}

/** Whether a value from a file is a device. */
export function isDevice(value: unknown): value is Device {
  const { widthPx, heightPx, pixelRatio, mobile } = (value ?? {}) as Partial<Device>;
  const isIn = (number: unknown, [least, most]: readonly [number, number]) =>
    typeof number === 'number' && number >= least && number <= most;
  return (
    [widthPx, heightPx].every((px) => Number.isInteger(px) && isIn(px, BOUNDS.windowPx)) &&
    isIn(pixelRatio, BOUNDS.pixelRatio) &&
    typeof mobile === 'boolean'
  );
}

const FIELDS = ['widthPx', 'heightPx', 'pixelRatio', 'mobile'] as const;
