import { serveProxy } from '../proxy/program.ts';
import { configuration } from './configuration.ts';
import { envoyStacks } from './stack.ts';

await serveProxy(envoyStacks, '--version', (printed, protocol, { congestionControl }) => ({
  details: {
    program: `Envoy ${/\d+\.\d+\.\d+/.exec(printed)?.[0]}, in front of Bun ${Bun.version}`,
    language: 'C++',
    library: protocol === 'h2' ? 'oghttp2' : 'quiche of Google',
  },
  arguments: (file) => [
    ...['--config-path', file, '--log-level', 'warning'],
    // Two of them would share a socket in the system's namespace otherwise.
    '--disable-hot-restart',
    // One thread answers, as in Bun: with more, the kernel distributes connections among them by chance.
    ...['--concurrency', '1'],
  ],
  configuration: (listeners, origin) =>
    configuration({ protocol, congestionControl, listeners, origin }),
}));
