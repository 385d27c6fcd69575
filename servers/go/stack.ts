import path from 'node:path';
import { KEY_EXCHANGES } from '../../ground/records/key-exchange.ts';
import type { Runtime, SystemProgram } from '../../ground/runtimes/runtime.ts';
import type { Stack } from '../../ground/stack.ts';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { projectFolder } from '../../ground/system/project-folder.ts';

const SOURCES = 'servers/go';
const PROGRAM = path.join(projectFolder, '.setup', 'stacks', 'go', 'quic-vs-https-go');
/** Where it is until it is whole. */
const UNFINISHED = `${PROGRAM}.unfinished`;

/** The oldest Go that builds the sources and what they import, as their module says. */
const OLDEST = versionIn(
  readPlainTextSync(path.join(import.meta.dirname, 'go.mod')),
  /^go (\S+)$/m,
);

const NEEDS: SystemProgram & { isEnough(answer: string): boolean } = {
  program: 'go',
  askVersion: ['version'],
  isEnough: (answer) => isNotOlder(versionIn(answer, /\bgo(\d[\d.]*)/), OLDEST),
  remedy: `Go ${OLDEST.join('.')} or newer is needed, from https://go.dev/dl; the packages of distributions are often older`,
};

/** A program in Go, built from this project's sources: net/http and quic-go are in it. */
export const go = {
  name: 'go',
  title: 'Go, quic-go',
  program: PROGRAM,
  askVersions: ['--versions'],
  versionsText: (versions) => `Go ${versions.go} with quic-go ${versions['quic-go']}`,
  onDemand: true,
  install: {
    title: 'building the servers in Go',
    madeFrom: [SOURCES],
    needs: NEEDS,
    async run(command) {
      const { program, askVersion, isEnough, remedy } = NEEDS;
      const answer = await command(program, askVersion);
      if (!answer.ok) return `There is no Go on this machine (${answer.output}). ${remedy}.`;
      if (!isEnough(answer.output)) return `This machine has ${answer.output}. ${remedy}.`;
      const built = await command(program, [
        'build',
        '-C',
        SOURCES,
        '-trimpath',
        // A copy of the project that is no repository, or somebody else's, is built all the same.
        '-buildvcs=false',
        '-ldflags=-s -w',
        '-o',
        UNFINISHED,
        '.',
      ]);
      if (built.ok) {
        const moved = await command('mv', ['-f', UNFINISHED, PROGRAM]);
        return moved.ok ? null : `${PROGRAM} could not be written:\n${moved.output}`;
      }
      return `go build failed. Of the network it needs a Go module proxy (see GOPROXY) for what ${SOURCES}/go.mod names:\n${built.output}`;
    },
  },
} satisfies Runtime;

/** Major, minor and, as far as there is one, patch number; of a text without a version none. */
function versionIn(text: string, pattern: RegExp): number[] {
  return pattern.exec(text)?.[1]?.split('.').map(Number) ?? [];
}

function isNotOlder(version: readonly number[], oldest: readonly number[]): boolean {
  const at = oldest.findIndex((each, index) => each !== (version[index] ?? 0));
  return at < 0 || (version[at] ?? 0) > (oldest[at] as number);
}

const inGo = { byDefault: false, runtime: go, keyExchanges: KEY_EXCHANGES } as const;

/** Go's own server with HTTP/2. */
const goH2 = {
  ...inGo,
  stack: 'go-h2',
  label: 'Go (h2)',
  protocol: 'h2',
  note: "HTTP/2 over TLS and TCP, from the same Go program with the same handler, by Go's own net/http with its usual settings: up to 250 requests at a time. TCP runs in the kernel.",
  programArguments: ['--stack', 'go-h2', '--protocol', 'h2'],
  responseOrders: { h2: 'interleaved' },
} as const satisfies Stack;

/** Go's own server with HTTP/1.1. */
const goH1: Stack = {
  ...inGo,
  stack: 'go-h1',
  label: 'Go (http/1.1)',
  protocol: 'http/1.1',
  note: "HTTP/1.1 with keep-alive over TLS and TCP, from the same Go program with the same handler, by Go's own net/http. TCP runs in the kernel.",
  programArguments: ['--stack', 'go-h1', '--protocol', 'http/1.1'],
};

/** quic-go. */
const quicGoH3: Stack = {
  ...inGo,
  stack: 'quic-go-h3',
  label: 'quic-go (h3)',
  protocol: 'h3',
  note: 'HTTP/3 over QUIC: quic-go in a Go program, with its usual settings: up to 100 requests at a time, and Reno, for it has no other congestion control. QUIC runs in the program itself, over UDP.',
  programArguments: ['--stack', 'quic-go-h3', '--protocol', 'h3'],
  tcpTwin: goH2,
  responseOrders: { h3: 'by priority' },
  // quic-go wants buffers of 7 MB for its socket, which only this capability gives it where net.core.rmem_max is smaller.
  keeps: ['net_admin'],
  transport: {
    // Constants of quic-go: `use Reno` in internal/ackhandler/sent_packet_handler.go, initialCongestionWindow in
    // internal/congestion/cubic_sender.go.
    congestionControls: ['reno'],
    initialWindowPackets: 32,
    senders: {
      reno: {
        windowGrowth: 'per packet when half used with HyStart',
        lossBackOff: 'to 0.7',
        isPaced: true,
        source: 'internal/congestion/cubic_sender.go and pacer.go of quic-go',
      },
    },
    tellsSamples: false,
  },
};

/** quic-go and Go's own server with HTTP/2, at one address. */
const goDual: Stack = {
  ...quicGoH3,
  stack: 'go-dual',
  label: 'Go (h2 + h3)',
  protocol: 'h2+h3',
  note: 'HTTP/2 as Go (h2) and HTTP/3 as quic-go (h3), in one Go program at one address and port. The browser chooses between them.',
  programArguments: ['--stack', 'go-dual', '--protocol', 'h2+h3'],
  responseOrders: { ...quicGoH3.responseOrders, ...goH2.responseOrders },
};

export const goStacks = [quicGoH3, goH2, goH1, goDual] as const;
