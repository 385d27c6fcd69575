import { LIMITS } from '../../clients/chromium/limits.ts';

export interface Device {
  widthPx: number;
  heightPx: number;
  /** Device pixels for each CSS pixel. */
  pixelRatio: number;
  /** Touch screen and the name of a mobile browser. */
  mobile: boolean;
}

/** The window of every measured load. */
export const DESKTOP: Device = { ...LIMITS.window, pixelRatio: 1, mobile: false };

/** A phone of the middle of the range: CSS pixels and pixel ratio of Google's Pixel 7. */
export const PHONE: Device = { widthPx: 412, heightPx: 915, pixelRatio: 2.625, mobile: true };

/** Width and height as people write them: `1366x768`. */
export function sizeOf({ widthPx, heightPx }: Pick<Device, 'widthPx' | 'heightPx'>): string {
  return `${widthPx}x${heightPx}`;
}

/**
 * Chromium's command line for a device: frames in processes of their own take the pixel ratio from there alone.
 */
export function deviceFlags({ pixelRatio }: Device): string[] {
  return pixelRatio === 1 ? [] : [`--force-device-scale-factor=${pixelRatio}`];
}
