import { type CDPSession, CDPSessionEvent, type Protocol } from 'puppeteer-core';
import { DESKTOP, type Device, isSameDevice } from '../../ground/records/device.ts';

/** Chromium's flags for a device: frames in separate processes take the pixel ratio only from there. */
export function deviceFlags({ pixelRatio }: Device = DESKTOP): string[] {
  return pixelRatio === 1 ? [] : [`--force-device-scale-factor=${pixelRatio}`];
}

/** Emulates a device in a tab, its frames and its workers. Must be the first listener for frames, which wait until it has set them up. */
export async function showOn(
  { session, root }: { session: CDPSession; root: CDPSession },
  device: Device,
): Promise<void> {
  // The window has this size already.
  if (isSameDevice(device, DESKTOP)) return;
  await resizeTo(session, device);
  if (!device.mobile) return;
  const { product } = await root.send('Browser.getVersion');
  await becomePhone(session, /\/(\d+)\./.exec(product)?.[1] ?? '');
}

/** Emulates only the window of a device. */
export async function resizeTo(
  session: CDPSession,
  { widthPx, heightPx, pixelRatio, mobile }: Device,
): Promise<void> {
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: widthPx,
    height: heightPx,
    deviceScaleFactor: pixelRatio,
    mobile,
  });
}

/** @param majorVersion of Chromium, as `156` */
async function becomePhone(session: CDPSession, majorVersion: string): Promise<void> {
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    // Fails for closed targets, and for workers, which have no touch events.
    becomePhone(child, majorVersion).catch(() => {});
  });
  // In parallel, so that both arrive before the command that resumes a frame.
  await Promise.all([
    session.send('Network.setUserAgentOverride', userAgent(majorVersion)),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
  ]);
}

/** User agent of Chrome on Android, the same on all phones. */
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
