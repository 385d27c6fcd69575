import type { Check, Finding } from '../check.ts';
import { programOutput } from '../program-output.ts';
import { packagedProgram, SET_UP } from '../set-up-files.ts';

const WANTED_MAJOR = 24;

/** The runtime of the benchmark itself. */
export const node: Check = {
  name: 'Node',
  async run() {
    const packaged = await programOutput(packagedProgram('node'), ['--version']);
    return judgeNode(process.versions.node, packaged.ok ? packaged.output : null);
  },
};

/**
 * @param running version that runs this check
 * @param packaged version among the npm packages, which npm scripts use; null: it does not run
 */
export function judgeNode(running: string, packaged: string | null): Finding {
  if (packaged === null) {
    return {
      status: 'lack',
      found: `Node ${running} runs this, but the project's own does not run`,
      remedy: `${SET_UP} (Node ${WANTED_MAJOR} comes with the npm packages)`,
    };
  }
  const version = packaged.replace(/^v/, '');
  if (Number.parseInt(version, 10) !== WANTED_MAJOR) {
    return {
      status: 'lack',
      found: `${version} among the npm packages, ${WANTED_MAJOR} is needed`,
      remedy: SET_UP,
    };
  }
  return { status: 'ok', found: version };
}
