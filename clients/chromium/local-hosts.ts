import type { LoadContext } from './load-context.ts';

/** What Chromium calls the permission to ask private addresses from a document that came from nowhere: today, and before. */
const LOCAL = ['localNetwork', 'localNetworkAccess'] as const;

/** A document that came over no network may ask no other host at a private address unless it is allowed to. */
export async function allowLocalHosts({
  root,
  browserContextId,
}: Pick<LoadContext, 'root' | 'browserContextId'>): Promise<void> {
  for (const name of LOCAL) {
    const granted = root.send('Browser.grantPermissions', {
      permissions: [name],
      ...(browserContextId !== undefined && { browserContextId }),
    });
    // A Chromium that does not know the permission does not ask for it.
    const isKnown = await granted.then(
      () => true,
      () => false,
    );
    if (isKnown) return;
  }
}
