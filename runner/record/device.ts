import { type CDPSession, CDPSessionEvent } from 'puppeteer-core';
import { DEFAULTS } from '../defaults.ts';

/** What the page is shown on. */
export interface Device {
  widthPx: number;
  heightPx: number;
  /** Device pixels for each CSS pixel. */
  pixelRatio: number;
  /** Touch screen and the name of a mobile browser. */
  mobile: boolean;
}

/** The window of every measured load. */
export const DESKTOP: Device = { ...DEFAULTS.window, pixelRatio: 1, mobile: false };

/** A phone of the middle of the range: CSS pixels and pixel ratio of Google's Pixel 7. */
export const PHONE: Device = { widthPx: 412, heightPx: 915, pixelRatio: 2.625, mobile: true };

/**
 * Makes a tab, its frames and its workers appear as on that device. Called before anything else listens for frames: they are held
 * until they are made so.
 * @param majorVersion of Chromium, as `156`
 */
export async function showOn(
  session: CDPSession,
  device: Device,
  majorVersion: string,
): Promise<void> {
  const { widthPx, heightPx, pixelRatio, mobile } = device;
  // The window has that size already.
  if (device === DESKTOP) return;
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: widthPx,
    height: heightPx,
    deviceScaleFactor: pixelRatio,
    mobile,
  });
  if (!mobile) return;
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
  await callMobile(session, majorVersion);
}

async function callMobile(session: CDPSession, majorVersion: string): Promise<void> {
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    callMobile(child, majorVersion).catch(() => {}); // It is gone already, or knows no such command.
  });
  await session.send('Network.setUserAgentOverride', {
    // What Chrome on Android sends: the same for all phones.
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${majorVersion}.0.0.0 Mobile Safari/537.36`,
    userAgentMetadata: {
      brands: [
        { brand: 'Not:A-Brand', version: '8' },
        { brand: 'Chromium', version: majorVersion },
      ],
      platform: 'Android',
      platformVersion: '',
      architecture: '',
      model: '',
      mobile: true,
    },
  });
}
