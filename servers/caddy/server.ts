import { serveProxy } from '../proxy/program.ts';
import { configuration, PATH_FIELD, prepare } from './configuration.ts';
import { caddyStacks } from './stack.ts';

const VERSIONS = /caddyserver\/caddy\/v2\s+v([\d.]+).*quic-go\/quic-go\s+v([\d.]+)/s;

await serveProxy(caddyStacks, 'build-info', (printed, protocol, { keyExchange }) => {
  const [, version, quicGo] = VERSIONS.exec(printed) ?? [];
  return {
    details: {
      program: `Caddy ${version}, in front of Bun ${Bun.version}`,
      language: 'Go',
      library: protocol === 'h2' ? 'net/http' : `quic-go ${quicGo}`,
    },
    arguments: (file) => ['run', '--config', file],
    // ECN is off over TCP too, at both ends of this project's paths.
    env: { QUIC_GO_DISABLE_ECN: 'true', QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING: 'true' },
    configuration: (listeners, origin) =>
      configuration({ protocol, keyExchange, listeners, origin }),
    pathField: PATH_FIELD,
    prepare,
  };
});
