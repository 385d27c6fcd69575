import { netemAvailable } from '../../../network/netem/backend.ts';
import type { Check, Finding } from '../check.ts';
import { type Refused, tryInNamespaces, untold } from '../network-agent.ts';

/** What the user-space link stands on. */
export const tun: Check = {
  name: '/dev/net/tun',
  async run() {
    const opened = await tryInNamespaces(['client', 'server'], async (agent) => {
      const devices = { client: 'path0', server: 'path0' };
      await agent.openLink({ ...devices, longestPacketBytes: 1500, segmentation: false });
    });
    if ('value' in opened) return judgeTun(null, true);
    const netem = await tryInNamespaces(['client'], netemAvailable);
    // Without namespaces the same refusal comes again, and is that check's to tell.
    if ('refused' in netem) return untold();
    return judgeTun(opened.refused, netem.value === true);
  },
};

/**
 * @param refused why no device could be opened; null: one was
 * @param hasNetem whether the path can be made without it
 */
export function judgeTun(refused: Refused | null, hasNetem: boolean): Finding {
  if (refused === null) return { status: 'ok', found: 'works: the user-space link can be used' };
  if (hasNetem) {
    return {
      status: 'note',
      found: `${refused.found}; netem is used`,
      remedy: refused.remedy,
    };
  }
  return { status: 'lack', ...refused };
}
