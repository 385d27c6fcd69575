import type { Check, Finding } from '../check.ts';
import { type ProgramOutput, programOutput } from '../program-output.ts';
import { packagedProgram, SET_UP } from '../set-up-files.ts';

// The QUIC server needs a Bun that was built with it.
const ASK = 'await import("node:quic"); console.log(Bun.version)';

/** The runtime of the HTTP/3 and HTTP/2 servers. */
export const bun: Check = {
  name: 'Bun',
  async run() {
    return judgeBun(await programOutput(packagedProgram('bun'), ['-e', ASK]));
  },
};

/** @param answer its version, when it has QUIC */
export function judgeBun(answer: ProgramOutput): Finding {
  if (answer.ok) return { status: 'ok', found: `${answer.output}, with QUIC (lsquic)` };
  return {
    status: 'lack',
    found: answer.reason,
    remedy: `${SET_UP} (it comes with the npm packages)`,
  };
}
