import { LIMITS } from '../../clients/chromium/limits.ts';

export interface Device {
  widthPx: number;
  heightPx: number;
  /** Device pixels for each CSS pixel. */
  pixelRatio: number;
  /** Has a touch screen and the user agent of a mobile browser. */
  mobile: boolean;
}

/** The window of every measured load. */
export const DESKTOP: Device = { ...LIMITS.window, pixelRatio: 1, mobile: false };

/** CSS pixels and pixel ratio of Google's Pixel 7. */
export const PHONE: Device = { widthPx: 412, heightPx: 915, pixelRatio: 2.625, mobile: true };

/** `1366x768`. */
export function sizeOf({ widthPx, heightPx }: Pick<Device, 'widthPx' | 'heightPx'>): string {
  return `${widthPx}x${heightPx}`;
}

/** Chromium's flags for a device: frames in separate processes take the pixel ratio only from there. */
export function deviceFlags({ pixelRatio }: Device): string[] {
  return pixelRatio === 1 ? [] : [`--force-device-scale-factor=${pixelRatio}`];
}
