import type { LoadContext } from './load-context.ts';

/** Chromium's permission for documents without a network origin to request private addresses: current and earlier names. */
const LOCAL = ['localNetwork', 'localNetworkAccess'] as const;

/** Grants the permission that a document without a network origin needs to request private addresses. */
export async function allowLocalHosts({
  root,
  browserContextId,
}: Pick<LoadContext, 'root' | 'browserContextId'>): Promise<void> {
  for (const name of LOCAL) {
    const granted = root.send('Browser.grantPermissions', {
      permissions: [name],
      ...(browserContextId !== undefined && { browserContextId }),
    });
    // A Chromium without this permission does not require it.
    const isKnown = await granted.then(
      () => true,
      () => false,
    );
    if (isKnown) return;
  }
}
