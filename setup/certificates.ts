import { existsSync } from 'node:fs';
import { run } from './command.mjs';
import { inProject } from './folders.mjs';
import { SetupError, type Step } from './step.mjs';

/** The local authority; the certificates of a site's hosts are made when it is first loaded. */
export const certificates: Step = {
  title: 'making certificates',
  isDone: () => existsSync(inProject('certs', 'generated', 'ca.pem')),
  run() {
    const { ok } = run(inProject('node_modules', '.bin', 'node'), [inProject('certs', 'make.ts')], {
      show: true,
    });
    if (!ok) throw new SetupError('Certificates could not be made; the message is above.');
  },
};
