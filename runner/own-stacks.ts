import type { Experiment } from '../ground/experiment.ts';
import type { RunValues } from '../ground/options/common.ts';
import type { Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { isOwnName, OWN_ENDINGS, ownStack, protocolOfName, urlOf } from '../servers/own-stack.ts';

/**
 * The stack of a running server, from `NAME=https://HOST:PORT`.
 * @param known stacks of the project
 * @throws UsageError for a name or address that is not valid
 */
export function ownStackOfWord(word: string, known: readonly Stack[]): Stack {
  const at = word.indexOf('=');
  const name = word.slice(0, at);
  const given = `--stacks ${word}`;
  assertOwnName(name, given, 'mine-h2=https://localhost:8443');
  const protocol = protocolOfName(name);
  if (protocol === null) {
    const endings = Object.keys(OWN_ENDINGS);
    throw new UsageError(
      `${given}: expected a name that ends with ${endings.join(', ')}, which selects the protocol, got ${name}. For example ${name}-h2.`,
    );
  }
  if (known.some(({ stack }) => stack === name)) {
    throw new UsageError(
      `${given}: ${name} is a stack of this project. Give yours another name, for example my-${name}.`,
    );
  }
  return ownStack(name, protocol, { url: originOf(word.slice(at + 1), given) });
}

/** @throws UsageError for a name of an own server that is not valid */
export function assertOwnName(name: string, given: string, example: string): void {
  if (isOwnName(name)) return;
  throw new UsageError(
    `${given}: expected a name of at most 40 small letters, digits and single hyphens between them, got ${JSON.stringify(name)}. For example ${example}.`,
  );
}

/** Whether a text is the address of a running server, and not the file of a program. */
export function isAddress(text: string): boolean {
  return /^https?:/i.test(text);
}

/** @throws UsageError unless the text is scheme, host and port */
export function originOf(text: string, given: string): string {
  const url = /^https:/i.test(text) ? URL.parse(text) : null;
  const expected = 'expected https://HOST or https://HOST:PORT behind the name';
  if (/^http:/i.test(text)) {
    throw new UsageError(
      `${given}: ${expected}, got http. Browsers speak HTTP/2 and HTTP/3 over TLS only, and so do all compared servers.`,
    );
  }
  if (url === null) throw new UsageError(`${given}: ${expected}, got ${JSON.stringify(text)}.`);
  if (url.href === `${url.origin}/`) return url.origin;
  throw new UsageError(
    `${given}: ${expected}, got more than that. Resources come from the site (--sites), and the server answers under the names of their hosts.`,
  );
}

/**
 * Rejects options that do not apply to a running server.
 * @throws UsageError naming the option
 */
export function assertOptionsApply(
  stacks: readonly Stack[],
  values: RunValues,
  { command, takesOwnServers }: Experiment,
): void {
  const own = stacks.find((each) => urlOf(each) !== null);
  if (!own) return;
  const wrong =
    (!takesOwnServers &&
      `npm run ${command?.name} needs data that only servers started by the run report. Use npm run benchmark, connect, transfer or share`) ||
    (values.think === 'recorded' && '--think recorded: its delay cannot be set. Omit --think') ||
    (values['sub-resources'] === 'missing' &&
      '--sub-resources missing: its resources cannot be removed. Omit --sub-resources');
  if (wrong) throw new UsageError(`${own.stack}, a running server: ${wrong}.`);
}

/**
 * Returns the stacks if their names are unique.
 * @throws UsageError naming a duplicate
 */
export function eachNamedOnce(stacks: readonly Stack[]): readonly Stack[] {
  const names = stacks.map(({ stack }) => stack);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return stacks;
  throw new UsageError(
    `--stacks: ${twice} occurs twice, with two servers. Give each a name of its own.`,
  );
}
