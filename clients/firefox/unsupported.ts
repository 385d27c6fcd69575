import { browserKind } from '../../ground/browser-kind.ts';
import type { Experiment } from '../../ground/experiment.ts';
import { DESKTOP, isSameDevice } from '../../ground/records/device.ts';
import { isLiveRun, type NetworkCondition } from '../../ground/records/network.ts';
import { offersBoth } from '../../ground/records/protocol.ts';
import type { PlannedArm, PlanRecord } from '../../ground/records/run.ts';
import { sentences } from '../../kit/text/sentences.ts';

/** The parts of a plan that Firefox may not support. */
export interface PlanInFirefox {
  arms: readonly Pick<PlannedArm, 'client' | 'protocol' | 'quicVersion' | 'own'>[];
  networks: readonly NetworkCondition[];
  factors: Readonly<Record<string, readonly string[]>>;
  choices: Pick<PlanRecord['choices'], 'device' | 'filmedLoads' | 'netLogs' | 'tlsMost'>;
}

type Unsupporting = Pick<Experiment, 'name' | 'notInFirefox' | 'factors'>;

/**
 * What a plan has that Firefox does not support, each with the reason: `--film (...)`. Empty: nothing, or no arm is in Firefox.
 */
export function unsupportedInFirefox(
  {
    arms,
    networks,
    factors,
    choices: { device = DESKTOP, filmedLoads, netLogs, tlsMost },
  }: PlanInFirefox,
  { name, notInFirefox, factors: known }: Unsupporting,
): string[] {
  const own = arms.filter(({ client }) => browserKind(client) === 'firefox');
  if (own.length === 0) return [];
  const [atFullSpeed] = Object.keys(known.cpu ?? {});
  const isSlowed = factors.cpu?.some((speed) => speed !== atFullSpeed);
  const elsewhere = own.flatMap(({ own: server }) => server?.url ?? []).find(hasOtherPort);
  return sentences(
    notInFirefox && `${name} (${notInFirefox})`,
    isLiveRun({ networks }) && '--live (its profile is made for servers of the bench)',
    filmedLoads !== undefined && "--film (Chromium's DevTools take the pictures)",
    isSlowed && "--cpu above 1 (Chromium's DevTools slow pages)",
    !isSameDevice(device, DESKTOP) &&
      "a device other than --desktop (Chromium's DevTools emulate it)",
    netLogs && '--net-log (only Chromium writes NetLogs)',
    networks.some(({ event }) => event) && "--event (Chromium's DevTools reload pages after it)",
    own.some(({ quicVersion }) => quicVersion) && '--quic-version 2 (it begins with version 1)',
    tlsMost === '1.2' &&
      own.some(({ protocol }) => offersBoth(protocol)) &&
      '--tls 1.2 with a server of HTTP/2 and HTTP/3 (it then has no QUIC)',
    elsewhere && `${elsewhere} (it loads pages from port 443 alone)`,
  );
}

function hasOtherPort(url: string): boolean {
  return new URL(url).port !== '';
}
