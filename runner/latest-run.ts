import path from 'node:path';
import { outputFolder } from '../ground/system/folders.mjs';

/** Default run of commands. */
export const latestRun = path.join(outputFolder, 'results', 'latest');
