import { type CDPSession, CDPSessionEvent, type Protocol } from 'puppeteer-core';
import { DESKTOP, type Device } from './device.ts';

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
  // The window has that size already.
  if (device === DESKTOP) return;
  const { widthPx, heightPx, pixelRatio, mobile } = device;
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: widthPx,
    height: heightPx,
    deviceScaleFactor: pixelRatio,
    mobile,
  });
  if (mobile) await becomePhone(session, majorVersion);
}

async function becomePhone(session: CDPSession, majorVersion: string): Promise<void> {
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    // It is gone already, or a worker, which has nothing to touch.
    becomePhone(child, majorVersion).catch(() => {});
  });
  // Both at once, so that they arrive before what lets a frame go on.
  await Promise.all([
    session.send('Network.setUserAgentOverride', userAgent(majorVersion)),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
  ]);
}

/** What Chrome on Android sends: the same for all phones. */
function userAgent(majorVersion: string): Protocol.Emulation.SetUserAgentOverrideRequest {
  return {
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
  };
}
