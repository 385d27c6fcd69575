import path from 'node:path';
import { projectFolder } from '../ground/system/project-folder.ts';

/** The run that commands are about unless one is named. */
export const latestRun = path.join(projectFolder, 'results', 'latest');
