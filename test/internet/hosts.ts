import { KINDS, type Kind, type KindName } from './kinds.ts';

export type Family = 4 | 6;

/** A host as a test describes it. */
export interface Host {
  kind: KindName;
  /** Of which families it has an address; left out: both. */
  families?: readonly Family[];
  /** Another host, of the same kind, that has the same addresses; names are told apart by SNI. Left out: it has its own. */
  sharesAddressesWith?: string;
  /** Protocols that the name's HTTPS record names (`['h3', 'h2']`); left out: there is no such record. */
  httpsRecord?: readonly string[];
  /** The Alt-Svc header of its answers; null: none; left out: h3 on the same port, unless nothing listens for UDP. */
  altSvc?: string | null;
}

/** Hosts by their names; a kind alone is a host of which nothing else is asked. */
export type Hosts = Readonly<Record<string, KindName | Host>>;

/** A host with everything decided. */
export interface PlacedHost {
  name: string;
  kind: Kind;
  /** IPv4 first. */
  addresses: readonly string[];
  httpsRecord: readonly string[] | null;
  altSvc: string | null;
}

/** Both ends of the cable, and what they are to each other. */
export const CLIENT = ['10.91.0.1', 'fd91:7c2e:5a40::1'] as const;
export const ROUTER = ['10.91.0.2', 'fd91:7c2e:5a40::2'] as const;
export const NAME_SERVER = '10.91.0.53';

const ALT_SVC = 'h3=":443"; ma=86400';

const HOSTS_PER_BYTE = 250;
const MOST_HOSTS = HOSTS_PER_BYTE * 250;

/**
 * Gives every host its addresses.
 * @throws Error when the description contradicts itself
 */
export function placeHosts(hosts: Hosts): PlacedHost[] {
  const described = Object.entries(hosts).map(([name, host]) => ({
    name,
    ...(typeof host === 'string' ? { kind: host } : host),
  }));
  const own = described.filter(({ sharesAddressesWith }) => sharesAddressesWith === undefined);
  if (own.length > MOST_HOSTS) throw new Error(`at most ${MOST_HOSTS} hosts have own addresses`);
  const indexes = new Map(own.map(({ name }, index) => [name, index]));
  const kinds = new Map(own.map(({ name, kind }) => [name, kind]));
  return described.map(({ name, kind: kindName, families = [4, 6], ...host }) => {
    const owner = host.sharesAddressesWith ?? name;
    const index = indexes.get(owner);
    if (index === undefined) throw new Error(`${name} shares addresses that ${owner} has not`);
    if (kinds.get(owner) !== kindName) throw new Error(`${name} and ${owner} are of two kinds`);
    const kind: Kind = KINDS[kindName];
    return {
      name,
      kind,
      addresses: ([4, 6] as const)
        .filter((family) => families.includes(family))
        .map((family) => addressOf(index, family)),
      httpsRecord: host.httpsRecord ?? null,
      altSvc: host.altSvc === undefined ? (kind.udp === null ? null : ALT_SVC) : host.altSvc,
    };
  });
}

/** The address of the n-th host (0, 1, ...). */
function addressOf(index: number, family: Family): string {
  if (family === 6) return `fd91:7c2e:5a40:1::${(index + 1).toString(16)}`;
  return `10.91.${1 + Math.floor(index / HOSTS_PER_BYTE)}.${1 + (index % HOSTS_PER_BYTE)}`;
}
