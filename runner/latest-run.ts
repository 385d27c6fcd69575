import path from 'node:path';
import { projectFolder } from '../ground/system/project-folder.ts';

/** Default run of commands. */
export const latestRun = path.join(projectFolder, 'results', 'latest');
