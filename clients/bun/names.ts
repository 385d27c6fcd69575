/** TLSv1.3 of OpenSSL as a fact has it. */
export function versionName(protocol: string): string {
  return protocol.replace('TLSv', 'TLS ');
}

const GROUPS: Readonly<Record<string, string>> = {
  prime256v1: 'secp256r1',
  'P-256': 'secp256r1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
};

/** The group of a key exchange by the name that TLS has for it; null: the library does not tell. */
export function groupName(key: object | null | undefined): string | null {
  const { name } = (key ?? {}) as { name?: string };
  return name === undefined ? null : (GROUPS[name] ?? name);
}
