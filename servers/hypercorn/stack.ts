import path from 'node:path';
import { pythonEnvironment, pythonPackageAt } from '../../ground/runtimes/python-environment.ts';
import type { Runtime } from '../../ground/runtimes/runtime.ts';
import type { Stack } from '../../ground/stack.ts';

// Flask is pinned to the version of the runtime of flask-dev, so that a run records one version.
const VERSION_SCRIPT = `
import json
from importlib.metadata import version
print(json.dumps({name: version(name) for name in ("flask", "hypercorn", "aioquic", "h2")}))
`;

const REQUIREMENTS = 'servers/hypercorn/requirements.txt';

/** Python with Flask, hypercorn and aioquic in pinned versions, in a virtual environment of its own. */
const hypercorn = {
  name: 'hypercorn',
  title: 'Python, hypercorn',
  ...pythonEnvironment(
    '.setup/stacks/hypercorn',
    REQUIREMENTS,
    'making the Python environment for hypercorn',
  ),
  versions: {
    library: 'aioquic',
    at: (version, folder) => pythonPackageAt('aioquic', version, folder, REQUIREMENTS),
  },
  onDemand: true,
  versionArgs: ['-c', VERSION_SCRIPT],
  versionsText: (versions) =>
    `hypercorn ${versions.hypercorn} with aioquic ${versions.aioquic}, h2 ${versions.h2} and Flask ${versions.flask}`,
} satisfies Runtime;

const underHypercorn = {
  byDefault: false,
  runtime: hypercorn,
  program: path.join(import.meta.dirname, 'server.py'),
} as const;

const hypercornH1: Stack = {
  ...underHypercorn,
  stack: 'hypercorn-h1',
  label: 'Flask under hypercorn (http/1.1)',
  protocol: 'http/1.1',
  note: 'HTTP/1.1 with keep-alive over TLS and TCP: the program of hypercorn-h3 and hypercorn-h2.',
  programArguments: ['--http', '1.1'],
};

const hypercornH2: Stack = {
  ...underHypercorn,
  stack: 'hypercorn-h2',
  label: 'Flask under hypercorn (h2)',
  protocol: 'h2',
  note: 'HTTP/2 over TLS and TCP: the program of hypercorn-h3, so that Flask can be compared with itself.',
  programArguments: ['--http', '2'],
  responseOrders: { h2: 'by priority' },
};

const hypercornH3: Stack = {
  ...underHypercorn,
  stack: 'hypercorn-h3',
  label: 'Flask under hypercorn (h3)',
  protocol: 'h3',
  speaksQuicV2: true,
  note: 'HTTP/3 over QUIC: Flask under hypercorn with aioquic. All of QUIC is Python, encryption aside: it sends a few MB a second, so that on pages of more than that the program is what is measured.',
  programArguments: ['--http', '3'],
  responseOrders: { h3: 'interleaved' },
  tcpTwin: hypercornH2,
  transport: {
    // By default hypercorn uses aioquic's, which is Reno.
    congestionControls: ['cubic', 'reno'],
    // Fixed by aioquic.
    initialWindowPackets: 10,
    initialWindowPacketBytes: 1200,
    senders: {
      cubic: {
        windowGrowth: 'per byte even when unused with HyStart',
        lossBackOff: 'to 0.7 of the bytes in flight',
        isPaced: true,
        source: 'quic/congestion/cubic.py and quic/recovery.py of aioquic',
      },
      reno: {
        windowGrowth: 'per byte even when unused with HyStart',
        lossBackOff: 'to 0.5',
        isPaced: true,
        source: 'quic/congestion/reno.py and quic/recovery.py of aioquic',
      },
    },
    reportsSamples: false,
  },
};

const hypercornDual: Stack = {
  ...hypercornH3,
  stack: 'hypercorn-dual',
  label: 'Flask under hypercorn (h2 + h3)',
  protocol: 'h2+h3',
  note: 'HTTP/2 as hypercorn-h2 and HTTP/3 as hypercorn-h3, in one Python program at one address and port. The browser chooses between them.',
  programArguments: ['--http', '2+3'],
  responseOrders: { ...hypercornH3.responseOrders, ...hypercornH2.responseOrders },
};

export const hypercornStacks = [hypercornH3, hypercornH2, hypercornH1, hypercornDual] as const;
