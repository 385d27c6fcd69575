import path from 'node:path';

/** The project's root folder. */
export const projectFolder = path.join(import.meta.dirname, '..', '..');
