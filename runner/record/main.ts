import { BenchmarkError } from '../../system/errors.ts';
import { EXIT } from '../../system/exit-status.ts';
import { stopNowOnSignals } from '../stop.ts';
import { recordCommand } from './command.ts';

try {
  await recordCommand(process.argv.slice(2), { signal: stopNowOnSignals() });
  process.exitCode = EXIT.ok;
} catch (error) {
  if (error instanceof BenchmarkError) {
    console.error(`\n${error.message}`);
    process.exitCode = error.exitStatus;
  } else {
    console.error('\nThis is a bug in quic-vs-https; please report it with this message:\n', error);
    process.exitCode = EXIT.bug;
  }
}
