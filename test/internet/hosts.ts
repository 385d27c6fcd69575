import { KINDS, type Kind, type KindName } from './kinds.ts';

export type Family = 4 | 6;

/** A host as a test describes it. */
export interface Host {
  kind: KindName;
  /** Of which families it has an address; left out: both. */
  families?: readonly Family[];
  /** The host, of the same kind, whose addresses and certificate it has too, as hosts of one hoster do; left out: it has its own. */
  sharesWith?: string;
  /** Protocols that the name's HTTPS record names (`['h3', 'h2']`); left out: there is no such record. */
  httpsRecord?: readonly string[];
  /** The Alt-Svc header of its answers; null: none; left out: h3 on the same port, unless nothing listens for UDP. */
  altSvc?: string | null;
  /** URLs of images that its page has, their paths ending with `.svg`; `*` is another number each time; left out: none. */
  images?: readonly string[];
  /** Where its page redirects to; left out: nowhere. */
  redirectsTo?: string;
}

/** Hosts by their names; a kind alone is a host of which nothing else is asked. */
export type Hosts = Readonly<Record<string, KindName | Host>>;

/** A host with everything decided. */
export interface AddressedHost {
  name: string;
  /** The host whose addresses and certificate it has: mostly itself. */
  owner: string;
  kind: Kind;
  /** IPv4 first; none if the name server tells none. */
  addresses: readonly string[];
  httpsRecord: readonly string[] | null;
  altSvc: string | null;
  images: readonly string[];
  redirectsTo: string | null;
}

/** Both ends of the cable, and what they are to each other. */
export const CLIENT = ['10.91.0.1', 'fd91:7c2e:5a40::1'] as const;
export const ROUTER = ['10.91.0.2', 'fd91:7c2e:5a40::2'] as const;
export const NAME_SERVER = '10.91.0.53';

const ALT_SVC = 'h3=":443"; ma=86400';

const HOSTS_PER_BYTE = 250;
const MAX_HOSTS = HOSTS_PER_BYTE * 250;

/**
 * Gives every host its addresses.
 * @throws Error when the description contradicts itself
 */
export function assignAddresses(hosts: Hosts): AddressedHost[] {
  const described = Object.entries(hosts).map(([name, host]) => {
    const { sharesWith = name, ...rest }: Host = typeof host === 'string' ? { kind: host } : host;
    return { name, owner: sharesWith, ...rest };
  });
  const owners = described.filter(({ name, owner }) => owner === name);
  if (owners.length > MAX_HOSTS) throw new Error(`at most ${MAX_HOSTS} hosts have own addresses`);
  const indexes = new Map(owners.map(({ name }, index) => [name, index]));
  return described.map(({ name, owner, kind: kindName, families = [4, 6], ...host }) => {
    const index = indexes.get(owner);
    if (index === undefined) throw new Error(`${name} shares what ${owner} has not`);
    if (owners[index]?.kind !== kindName) throw new Error(`${name} and ${owner} differ in kind`);
    const kind: Kind = KINDS[kindName];
    return {
      name,
      owner,
      kind,
      addresses: ([4, 6] as const)
        .filter((family) => kind.name === 'addresses' && families.includes(family))
        .map((family) => addressOf(index, family)),
      httpsRecord: host.httpsRecord ?? null,
      images: host.images ?? [],
      redirectsTo: host.redirectsTo ?? null,
      altSvc: host.altSvc === undefined ? (kind.udp === null ? null : ALT_SVC) : host.altSvc,
    };
  });
}

/** The address of the n-th host (0, 1, ...). */
function addressOf(index: number, family: Family): string {
  if (family === 6) return `fd91:7c2e:5a40:1::${(index + 1).toString(16)}`;
  return `10.91.${1 + Math.floor(index / HOSTS_PER_BYTE)}.${1 + (index % HOSTS_PER_BYTE)}`;
}
