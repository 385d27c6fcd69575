import type { PathAgent } from './agent.ts';
import type { Path } from './path.ts';

const noNamespaces = (): never => {
  throw new Error("the machine's own network has no agent");
};
const noAgent = async (): Promise<never> => noNamespaces();

/** Rejects all requests: there are no namespaces. */
const AGENT: PathAgent = {
  userNamespace: false,
  realtime: 'none',
  run: noAgent,
  openLink: noAgent,
  setLink: noAgent,
  countLink: noAgent,
  sampleLink: noAgent,
  openTap: noAgent,
  takePackets: noAgent,
  openCounter: noAgent,
  beginLoad: noAgent,
  countPackets: noAgent,
  writeCapture: noAgent,
  beginTcpInfo: noAgent,
  endTcpInfo: noAgent,
  writeTcpInfo: noAgent,
  serveNames: noAgent,
  dnsQueries: noAgent,
  paceTcp: noAgent,
  holderOf: noNamespaces,
  enter: () => [],
};

/** The network of this machine instead of a path: adds nothing, and cannot count or capture. */
export const LIVE_PATH: Path = {
  backend: 'live',
  agent: AGENT,
  mtuBytes: 1500,
  longestPacketBytes: 1500,
  isSeeded: null,
  apply: async () => {},
  count: noAgent,
  samples: async () => null,
  connections: noAgent,
  answeredRandoms: noAgent,
  writeCapture: noAgent,
  writeTcpInfo: noAgent,
  setTcp: async () => {},
  names: { serve: noAgent, queries: noAgent },
};
