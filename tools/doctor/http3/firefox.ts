import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningFirefox, runFirefox } from '../../../clients/firefox/firefox.ts';
import {
  errorName,
  type FirefoxAnswer,
  FORBIDDING,
  logExpression,
  readHttp3Log,
  requestExpression,
} from '../../../clients/firefox/http3-reasons.ts';
import { usualPreferences } from '../../../clients/firefox/preferences.ts';
import { OLDEST_VERSION } from '../../../clients/firefox/version.ts';
import type { Verification } from '../../../clients/refusals.ts';
import { LINE_BYTES, textLines } from '../../../ground/system/bounded-lines.ts';
import { withDeadline } from '../../../ground/system/deadline.ts';
import { MachineError } from '../../../ground/system/errors.ts';
import { openWritten } from '../../../ground/system/unprivileged-user.ts';
import {
  BETWEEN_LOADS_MS,
  LOAD_LIMIT_MS,
  type LoadSettings,
  type PageLoads,
  repeatLoad,
} from './chromium.ts';
import type { Origin } from './origin.ts';

/** Requests a page in a Firefox with a fresh profile, until HTTP/3 is used or no longer expected. */
export async function loadInFirefox(
  firefox: string,
  origin: Origin,
  { way, authorities, signal }: LoadSettings,
): Promise<PageLoads> {
  const { host, port, resolve, url } = origin;
  const server = {
    stack: { stack: 'machine', protocol: 'h2+h3' as const },
    origins: {},
    firefox,
    ...(authorities !== null && { authority: authorities }),
  };
  const freely = usualPreferences(way !== 'as-is', way === 'forced' ? [`${host}:${port}`] : []);
  const starting = runFirefox(server, { enter: [], freely, signal });
  const running = await starting.catch(({ message }: Error) => {
    signal.throwIfAborted();
    throw new MachineError(
      `${firefox} did not start: ${message}. Expected Firefox ${OLDEST_VERSION} or newer.`,
    );
  });
  const { privileged, keyLogFile } = running;
  const folder = path.dirname(keyLogFile);
  try {
    if (resolve !== null) await privileged(leading(host, resolve));
    if (way !== 'as-is') await privileged(ACCEPTING);
    await privileged(logExpression(path.join(folder, LOG)));
    const verifications: Verification[] = [];
    const loadOnce = async () => {
      const answer = privileged<FirefoxAnswer>(requestExpression(url));
      const late = () => ({ protocol: '', error: 'NS_ERROR_NET_TIMEOUT', verification: null });
      const { verification, ...load } = await withDeadline(answer, LOAD_LIMIT_MS, late);
      if (verification !== null) verifications.push(verification);
      await sleep(BETWEEN_LOADS_MS);
      return load;
    };
    const ends = () => readEnds(running, folder, host);
    const loads = await repeatLoad(loadOnce, async () => (await ends()).hasQuic);
    const forbidding = await privileged<string[]>(FORBIDDING);
    return { ...loads, ...(await ends()), verifications, forbidding };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await running.close();
  }
}

const LOG = 'http3';

/** Some hundred kB are usual. */
const MAX_LOG_BYTES = 64_000_000;

async function readEnds({ privileged }: RunningFirefox, folder: string, host: string) {
  const file = (await readdir(folder)).find((name) => name.startsWith(`${LOG}-main.`));
  if (file === undefined) return { quicEnds: [], hasQuic: false };
  const written = await openWritten(path.join(folder, file));
  const bytes = written.createReadStream({ end: MAX_LOG_BYTES });
  const lines = textLines(bytes, { maxBytes: LINE_BYTES.foreign, longer: 'cut' });
  return readHttp3Log(lines, host, (code) => privileged<string>(errorName(code)));
}

/** JavaScript that lets a name lead to an address. */
function leading(host: string, address: string): string {
  const names = `Cc['@mozilla.org/network/native-dns-override;1'].getService(Ci.nsINativeDNSResolverOverride)`;
  return `${names}.addIPOverride(${JSON.stringify(host)}, ${JSON.stringify(address)})`;
}

/** JavaScript that accepts every certificate, which only this browser with its fresh profile does. */
const ACCEPTING = `Cc['@mozilla.org/security/certoverride;1'].getService(Ci.nsICertOverrideService)
  .setDisableAllSecurityChecksAndLetAttackersInterceptMyData(true)`;
