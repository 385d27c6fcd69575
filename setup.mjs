// Brings everything that the benchmark needs onto this machine. Runs on any Node from 20 on, without
// dependencies, before every npm script; when nothing is to do it only looks.
import { SetupError } from './setup/error.mjs';
import { steps } from './setup/steps.mjs';

const OPTIONS = ['--only packages'];

/** The steps asked for: all of them, or the npm packages alone (enough for `npm run report`). */
function readArguments(args) {
  if (args.length === 0) return steps;
  if (args.length === 2 && args[0] === '--only') {
    const chosen = steps.filter((step) => step.name === args[1]);
    if (chosen.length > 0) return chosen;
  }
  throw new SetupError(
    `Unknown set-up option ${args.join(' ')}. Options: ${OPTIONS.join(', ')}`,
    2,
  );
}

try {
  for (const step of readArguments(process.argv.slice(2))) {
    if (await step.isDone()) continue;
    console.error(`set-up: ${step.title} ...`);
    await step.run();
    if (!(await step.isDone())) {
      throw new SetupError(`${step.title}: ran, but is still not complete.`);
    }
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\nset-up: ${error.message}`);
  process.exitCode = error.exitStatus;
}
