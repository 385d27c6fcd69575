import path from 'node:path';
import { projectFolder } from '../../stacks.ts';
import type { Check, Finding } from '../check.ts';
import { type ProgramOutput, programOutput } from '../program-output.ts';
import { foundBySetUp, SET_UP } from '../set-up-files.ts';

const ASK = `
import json, platform
from importlib.metadata import version
print(json.dumps([platform.python_version(), version("flask"), version("gunicorn")]))
`;

/** The project's own Python, which serves HTTP/1.1 and makes the network path. */
export const python: Check = {
  name: 'Python, Flask',
  async run() {
    const program = foundBySetUp().python ?? path.join(projectFolder, '.venv', 'bin', 'python');
    const answer = await programOutput(program, ['-c', ASK]);
    const system = await programOutput('python3', ['--version']);
    return judgePython(answer, system);
  },
};

/**
 * @param answer versions of Python, Flask and gunicorn in the project's environment
 * @param system what set-up would make that environment with
 */
export function judgePython(answer: ProgramOutput, system: ProgramOutput): Finding {
  if (answer.ok) {
    const [pythonVersion, flask, gunicorn] = JSON.parse(answer.output) as string[];
    return {
      status: 'ok',
      found: `Python ${pythonVersion} with Flask ${flask} and gunicorn ${gunicorn}`,
    };
  }
  if (system.ok) {
    return {
      status: 'lack',
      found: `the project's environment is not complete (${answer.reason}); the system has ${system.output}`,
      remedy: SET_UP,
    };
  }
  return {
    status: 'lack',
    found: 'no Python',
    remedy: `On Debian and Ubuntu: apt-get install python3 python3-venv. Then: npm run setup`,
  };
}
