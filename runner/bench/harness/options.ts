import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { EXIT } from '../../../ground/system/exit-status.ts';

/** Reads the options of a benchmark. --help prints its purpose and options; a wrong option ends it with an error. */
export function readOptions<const Options extends Record<string, ParseArgsOptionDescriptor>>(
  about: string,
  options: Options,
) {
  try {
    const values: { help?: boolean } = parseArgs({ options: { ...options, ...HELP } }).values;
    if (!values.help) return values as ReturnType<typeof parseArgs<{ options: Options }>>['values'];
    console.log([about, '', ...Object.entries(options).map(optionLine)].join('\n'));
    process.exit(EXIT.ok);
  } catch (error) {
    console.error(`${(error as Error).message}\nThe options: --help`);
    process.exit(EXIT.usage);
  }
}

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

function optionLine([name, { type, default: byDefault }]: [string, ParseArgsOptionDescriptor]) {
  const words = type === 'string' ? `--${name} <value>` : `--${name}`;
  return `  ${words}${byDefault === undefined ? '' : ` (default ${byDefault})`}`;
}
