import { type CDPSession, CDPSessionEvent, type Protocol } from 'puppeteer-core';
import { DESKTOP, type Device, isSameDevice } from '../../ground/records/device.ts';

/** Chromium's flags for a device: frames in separate processes take the pixel ratio only from there. */
export function deviceFlags({ pixelRatio }: Device = DESKTOP): string[] {
  return pixelRatio === 1 ? [] : [`--force-device-scale-factor=${pixelRatio}`];
}

interface Shown {
  session: CDPSession;
  root: CDPSession;
  device: Device;
}

/** Emulates a device in a tab while its session lasts, but not in what has its own sessions. */
export async function showOn({ session, root, device }: Shown): Promise<void> {
  // The window has this size already.
  if (isSameDevice(device, DESKTOP)) return;
  const { widthPx, heightPx, pixelRatio, mobile } = device;
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: widthPx,
    height: heightPx,
    deviceScaleFactor: pixelRatio,
    mobile,
  });
  if (mobile) await becomePhone(session, await userAgent(root));
}

/** Emulates it in the tab's frames and workers with own sessions. Must be their first listener: they wait until it has set them up. */
export async function showFramesOn({ session, root, device }: Shown): Promise<void> {
  if (!device.mobile) return;
  const agent = await userAgent(root);
  const listen = (parent: CDPSession) =>
    parent.on(CDPSessionEvent.SessionAttached, (child) => {
      listen(child);
      // Fails for closed targets, and for workers, which have no touch events.
      becomePhone(child, agent).catch(() => {});
    });
  listen(session);
}

async function becomePhone(session: CDPSession, agent: UserAgent): Promise<void> {
  // In parallel, so that both arrive before the command that resumes a frame.
  await Promise.all([
    session.send('Network.setUserAgentOverride', agent),
    session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
  ]);
}

type UserAgent = Protocol.Emulation.SetUserAgentOverrideRequest;

/** User agent of Chrome on Android, the same on all phones. */
async function userAgent(root: CDPSession): Promise<UserAgent> {
  const { product } = await root.send('Browser.getVersion');
  const majorVersion = /\/(\d+)\./.exec(product)?.[1] ?? '';
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
