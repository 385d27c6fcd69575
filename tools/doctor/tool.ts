import type { BrowserKind } from '../../ground/browser-kind.ts';
import { GROUP } from '../../ground/options/command.ts';
import { oneOf, text } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';
import { authoritiesFile } from '../../ground/options/trust.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { complain, printStyled } from '../../ground/system/printed.mjs';
import type { Tool } from '../tool.ts';

const DOCTOR_OPTIONS = optionGroup(GROUP, 'invocation', {
  resolve: {
    argument: 'IP',
    help: 'connect to this IP address instead of resolving the name',
    read: text,
  },
  browser: {
    argument: 'NAME',
    help: 'the browser that loads the URL: chromium or firefox (default chromium)',
    read: oneOf<BrowserKind>('chromium', 'firefox'),
    byDefault: 'chromium',
  },
  trust: {
    argument: 'FILE',
    help: 'certificates of authorities that your Firefox trusts, PEM (with --browser firefox)',
    read: authoritiesFile,
  },
});

export const doctor: Tool = {
  summary:
    'checks this machine and says how to fix what it lacks; or explains why a browser does not speak HTTP/3 to a server',
  operands: [
    {
      name: 'URL',
      help: "a running server, reached over this machine's own network; https:// may be omitted (default: check this machine)",
    },
  ],
  options: DOCTOR_OPTIONS,
  examples: [
    ['', 'whether the benchmark can run here'],
    ['https://localhost:8443', 'whether Chromium speaks HTTP/3 to this server, or why not'],
    ['https://localhost:8443 --browser firefox', 'the same for Firefox'],
  ],
  statuses:
    'Exit status: 0 the benchmark can run, or the browser speaks HTTP/3 to the server; 1 a bug, 2 wrong usage, 3 the benchmark cannot run, or set-up is missing; 4 the browser does not speak HTTP/3 to the server; 130 interrupted.',
  async run({ given, operands: [url] }) {
    const { resolve, browser, trust } = valuesOf(DOCTOR_OPTIONS, given);
    if (trust !== null && browser !== 'firefox')
      throw new UsageError(
        '--trust needs --browser firefox: Chromium trusts what this machine trusts.',
      );
    if (url !== undefined) {
      const { http3Command } = await import('./http3/command.ts');
      const { stopNowOnSignals } = await import('../../runner/stop.ts');
      return http3Command(url, {
        resolve,
        browser,
        trust,
        print: printStyled,
        say: complain,
        signal: stopNowOnSignals(),
      });
    }
    const [option] = Object.keys(given);
    if (option !== undefined)
      throw new UsageError(`--${option} needs a URL too, for example https://www.example.org.`);
    const { doctorCommand } = await import('./command.ts');
    return doctorCommand();
  },
};
