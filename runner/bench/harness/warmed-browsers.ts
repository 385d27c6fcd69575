import type { Place, Places } from '../../../clients/chromium/place.ts';
import { placeIn } from '../../../clients/chromium/places.ts';
import { runBrowser, startUpEnded } from '../../../clients/chromium/running-browser.ts';
import { firstTab, openTab } from '../../../clients/chromium/tab.ts';
import { load, settle, watchTab } from '../../../clients/chromium/visit.ts';
import { serverOf } from '../../../experiments/measuring.ts';
import type { SiteBench } from './bench.ts';

/** Pages of another host that a browser has loaded before: enough for each of its processes to have run warm. */
const LOADS_BEFORE = 5;

/**
 * A browser for each load, which has loaded a page of another host by the same protocol before, each time in a context of its own:
 * its code has run, and it knows nothing of the site. The load itself is made in the browser's own profile.
 */
export function warmedBrowsers(bench: SiteBench): Places {
  return { isWorn: false, open: (stack) => openWarmed(stack, bench), close: async () => {} };
}

async function openWarmed(stack: string, bench: SiteBench): Promise<Place> {
  const running = await runBrowser(joined(stack, bench), bench.settings);
  const { root, pid } = running;
  try {
    const tab = await firstTab(root);
    for (let count = 0; count < LOADS_BEFORE; count++) {
      const { browserContextId } = await root.send('Target.createBrowserContext');
      const leave = async () => {
        await root.send('Target.disposeBrowserContext', { browserContextId });
      };
      const place = await placeIn(running, { tab: await openTab(root, browserContextId), leave });
      await loadOther(place, stack, bench.otherUrl);
      await place.leave();
    }
    await startUpEnded(pid);
    return await placeIn(running, { tab, leave: running.close });
  } catch (error) {
    await running.close();
    throw error;
  }
}

async function loadOther(place: Place, stack: string, url: string): Promise<void> {
  const options = { url, isReload: false, timeoutS: 30, script: null, capture: false };
  const { failure } = await settle(
    place,
    await load(place, await watchTab(place, options), options),
  );
  if (failure) throw new Error(`the other page by ${stack}: ${failure.message}`);
}

/** Both pages in the reach of one browser. */
function joined(stack: string, { servers, otherServers }: SiteBench) {
  const own = serverOf(stack, servers);
  const other = serverOf(stack, otherServers);
  return {
    stack: own.stack,
    origins: { ...own.origins, ...other.origins },
    spkiPins: [...own.spkiPins, ...other.spkiPins],
  };
}
