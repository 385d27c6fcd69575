import { STACK_PROPERTIES, type StackProperty } from '../../ground/records/stack-readings.ts';

/** Names of fields whose keys in run.json are not clear enough. */
const NAMES = new Map<string, string>(
  Object.entries({
    backend: 'network backend',
    command: 'options as given',
    timeoutS: 'time limit of a load (s)',
    'choices.compressHars': 'HARs compressed',
    'choices.congestionControl': 'requested congestion control',
    'choices.document': 'main document',
    'choices.hars': 'HARs kept',
    'choices.initialWindowSegments': 'requested initial window of TCP (segments)',
    'choices.keepSecrets': 'secrets kept in HARs',
    'choices.offloads': 'several segments as one packet',
    'choices.netLogs': 'network logs of browsers kept',
    'choices.packets': 'packets captured',
    'choices.qlogs': 'qlogs of the captures',
    'choices.tcpInfoMs': 'time between samples of TCP_INFO (ms)',
    'choices.order': 'order of the stacks',
    'choices.origins': 'addresses and certificates of hosts',
    'choices.receiveBufferBytes': 'initial receive buffer of TCP (bytes)',
    'choices.subResources': 'sub-resources',
    'choices.tlsMost': 'newest TLS over TCP',
    'analysis.metric': 'primary metric',
    'analysis.marginPercent': 'margin of “same” (%)',
    'host.cpu': 'processor',
    'host.os': 'system',
  }),
);

/** Readable name of a field of run.json: `host.memoryMb` is `memory (MB)`. */
export function factName(fact: string): string {
  const [group = '', ...steps] = fact.split('.');
  const known = NAMES.get(fact);
  if (known !== undefined) return known;
  if (steps.length === 0) return wordsOf(group);
  switch (group) {
    case 'versions':
      return `version of ${steps.join('.')}`;
    case 'quietRule':
      return `limit of a quiet machine: ${wordsOf(steps.join('.'))}`;
    case 'stopping':
      return `stopping rule: ${wordsOf(steps.join('.'))}`;
    case 'arms':
      // Names of stacks can have dots.
      return fact.replace(/^arms\.(.+)\.(?:label|(own)\.(\w+))$/, (_, arm, own, what) =>
        own ? `own ${what} of ${arm}` : `label of ${arm}`,
      );
    case 'fairness':
      return fairnessName(steps);
    default:
      return steps.map(wordsOf).join(', ');
  }
}

/** `client.pathMtuBytes`, `stacks.bun-h2.program`, `readings.bun-h2.offloads` */
function fairnessName([of = '', first = '', ...rest]: string[]): string {
  if (of === 'client' || of === 'server') {
    const names = [wordsOf(first), ...rest.map(wordsOf)].join(', ');
    return `${names}, at the end of the ${of === 'client' ? 'browser' : 'servers'}`;
  }
  const property = rest.join('.');
  const known = STACK_PROPERTIES[property as StackProperty] as { label: string } | undefined;
  const name = `${known?.label ?? wordsOf(property)} of ${first}`;
  return of === 'stacks' ? `${name}, reported by its server` : name;
}

const UNITS: Record<string, string> = {
  Bytes: 'bytes',
  Mb: 'MB',
  Ms: 'ms',
  Packets: 'packets',
  Percent: '%',
  Segments: 'segments',
};

const ABBREVIATIONS = /\b(cpu|ecn|ipv6|mss|mtu|tcp|tls|udp)\b/g;

/** Words of a field name: `tcpInitialWindowSegments` is `TCP initial window (segments)`. */
function wordsOf(name: string): string {
  const [, begin = name, unit] =
    new RegExp(`^(.+?)(${Object.keys(UNITS).join('|')})$`).exec(name) ?? [];
  const words = begin
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(ABBREVIATIONS, (word) => (word === 'ipv6' ? 'IPv6' : word.toUpperCase()));
  return unit === undefined ? words : `${words} (${UNITS[unit]})`;
}
