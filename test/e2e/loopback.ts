/** An address of the machine's own loopback for each host: for tests of parts that need no path. */
export function loopbackAddresses(hosts: readonly string[]): Record<string, string> {
  return Object.fromEntries(hosts.map((host, index) => [host, `127.0.1.${index + 1}`]));
}
