import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Loaded before a program by `--import`: writes the URLs of all modules that the program loads into the file LOADED_FILE when it ends.
const urls = new Set();
registerHooks({
  load(url, context, next) {
    urls.add(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED_FILE ?? '', JSON.stringify([...urls])));
