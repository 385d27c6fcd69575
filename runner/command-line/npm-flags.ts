import { type Commands, commandNamed } from '../../ground/options/command.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { shellLine } from '../../ground/system/shell-word.ts';

/** Options that npm also has, so that they may be set for npm. */
const ALSO_NPMS = ['progress', 'json'];

/**
 * Without `--` npm consumes options as its own, passes them on only in the environment, and would start the command without them.
 * @param args arguments that npm passed on
 * @throws UsageError with the intended command
 */
export function refuseOptionsThatNpmTook(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  commands: Commands,
): void {
  const script = env.npm_lifecycle_event;
  const command = commandNamed(commands, script);
  if (!command) return;
  const givenTo = (name: string) => env[`npm_config_${name.replaceAll('-', '_')}`];
  const { options, operands } = command;
  const taken = Object.entries(options).filter(
    ([name]) => !ALSO_NPMS.includes(name) && givenTo(name) !== undefined,
  );
  if (taken.length === 0) return;
  const whole = taken.flatMap(([name, { argument }]) => {
    if (argument === null) return [`--${name}`];
    return isLeftOut(givenTo(name)) ? [] : [`--${name}=${givenTo(name)}`];
  });
  // Values after a blank arrive as arguments; with several options, their owner is unknown.
  const cut = taken.flatMap(([name, { argument }]) =>
    argument !== null && isLeftOut(givenTo(name)) ? [`--${name}`] : [],
  );
  const isClear =
    cut.length === 0 || (cut.length === 1 && (operands.length === 0 || args.length === 1));
  const rest = isClear ? [...cut, ...args] : cut.flatMap((option) => [option, '...']);
  throw new UsageError(
    `npm took ${taken.map(([name]) => `--${name}`).join(', ')} for an option of its own. Put -- before the options: npm run ${script} -- ${shellLine([...whole, ...rest])}`,
  );
}

function isLeftOut(value: string | undefined): boolean {
  return value === 'true' || value === '';
}
