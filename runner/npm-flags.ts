import { UsageError } from '../system/errors.ts';
import { OPTIONS } from './options.ts';

/** Options that npm has too: that they are set says nothing. */
const ALSO_NPMS = ['progress', 'help'];

/**
 * Without `--` npm takes options for its own, hands them on in the environment alone, and would start the default run.
 * @throws UsageError with the command that was meant
 */
export function refuseOptionsThatNpmTook(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): void {
  if (env.npm_lifecycle_event !== 'benchmark') return;
  const givenTo = (name: string) => env[`npm_config_${name.replaceAll('-', '_')}`];
  const taken = Object.entries(OPTIONS).filter(
    ([name]) => !ALSO_NPMS.includes(name) && givenTo(name) !== undefined,
  );
  if (taken.length === 0) return;
  const whole = taken.flatMap(([name, { type }]) => {
    if (type === 'boolean') return [`--${name}`];
    return isLeftOut(givenTo(name)) ? [] : [`--${name}=${givenTo(name)}`];
  });
  // Values that stood behind a blank came as arguments; of several, nobody can tell which is whose.
  const cut = taken.flatMap(([name, { type }]) =>
    type === 'string' && isLeftOut(givenTo(name)) ? [`--${name}`] : [],
  );
  const rest = cut.length > 1 ? cut.flatMap((option) => [option, '...']) : [...cut, ...args];
  throw new UsageError(
    `npm took ${taken.map(([name]) => `--${name}`).join(', ')} for an option of its own. Put -- before the options: npm run benchmark -- ${[...whole, ...rest].map(quoted).join(' ')}`,
  );
}

function isLeftOut(value: string | undefined): boolean {
  return value === 'true' || value === '';
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`;
}
