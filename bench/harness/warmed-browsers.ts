import type { Place, Places } from '../../runner/browser/place.ts';
import { runBrowser } from '../../runner/browser/running-browser.ts';
import { startUpEnded } from '../../runner/browser/start-up.ts';
import { firstTab, replaceTab } from '../../runner/browser/tab.ts';
import { load, settle, watchTab } from '../../runner/browser/visit.ts';
import { serverOf } from '../../runner/servers.ts';
import type { SiteBench } from './bench.ts';

/**
 * A browser for each load, which has loaded a page of another host by the same protocol before: its code has run, and it knows
 * nothing of the site.
 */
export function warmedBrowsers(bench: SiteBench): Places {
  return { isWorn: false, open: (stack) => openWarmed(stack, bench), close: async () => {} };
}

async function openWarmed(stack: string, bench: SiteBench): Promise<Place> {
  const running = await runBrowser(joined(stack, bench), bench.settings);
  try {
    const { root, pid, keyLogFile, broken } = running;
    const about = running.aboutNextLoad();
    const first = await firstTab(root);
    const place: Place = {
      ...{ root, keyLogFile, broken, about, browserPid: pid, leave: running.close },
      tab: first,
    };
    const options = { ...{ url: bench.otherUrl, isReload: false }, ...NOTHING_SPECIAL };
    const { failure } = await settle(
      place,
      await load(place, await watchTab(place, options), options),
    );
    if (failure) throw new Error(`the other page by ${stack}: ${failure.message}`);
    const tab = await replaceTab(root, first);
    await startUpEnded(pid);
    return { ...place, tab };
  } catch (error) {
    await running.close();
    throw error;
  }
}

const NOTHING_SPECIAL = { timeoutS: 30, script: null, capture: false };

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
