import { KINDS, type Kind, type KindName } from './kinds.ts';

export type Family = 4 | 6;

/** A host as a test describes it. */
export interface Host {
  kind: KindName;
  /** Its address families. Default: both. */
  families?: readonly Family[];
  /**
   * The host of the same kind whose addresses and certificate it shares, as at one hoster. Default:
   * its own.
   */
  sharesWith?: string;
  /** Protocols in the HTTPS record of the name (`['h3', 'h2']`). Default: no record. */
  httpsRecord?: readonly string[];
  /**
   * Alt-Svc header of its responses. null: no header. Default: h3 on the same port, unless nothing
   * listens for UDP.
   */
  altSvc?: string | null;
  /**
   * URLs of images on its page, with paths ending in `.svg`; `*` becomes a new number each time.
   * Default: no images.
   */
  images?: readonly string[];
  /** Redirect target of its page. Default: no redirect. */
  redirectsTo?: string;
}

/** Hosts by their names; a kind alone is a host with defaults. */
export type Hosts = Readonly<Record<string, KindName | Host>>;

/** A host with every default filled in. */
export interface AddressedHost {
  name: string;
  /** The host whose addresses and certificate it has: mostly itself. */
  owner: string;
  kind: Kind;
  /** IPv4 first; empty if the name server has no address. */
  addresses: readonly string[];
  httpsRecord: readonly string[] | null;
  altSvc: string | null;
  images: readonly string[];
  redirectsTo: string | null;
}

/** Both ends of the cable, and their addresses. */
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
