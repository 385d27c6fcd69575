// WebDriver BiDi runs scripts first in documents, but not in workers. A worker begins when its debugger has begun.

/** Name under which Firefox shares the script with its processes. */
const SCRIPT = 'bench:worker-script';

/** Of the profile's folder `chrome`, the only one that content processes read; Firefox accepts no debugger from elsewhere. */
export const DEBUGGER_FILE = 'worker-debugger.js';
export const DEBUGGER = `addEventListener('message', ({ data }) => {
  new Debugger().addDebuggee(global).executeInGlobal(data);
});`;

/** Runs in each content process. */
const LISTEN = `(() => {
  const workers = Cc['@mozilla.org/dom/workers/workerdebuggermanager;1'].getService(Ci.nsIWorkerDebuggerManager);
  workers.addListener({
    onRegister(worker) {
      const script = Services.cpmm.sharedData.get('${SCRIPT}');
      if (!script || !worker.principal.originAttributes.userContextId) return;
      worker.initialize('resource://bench/${DEBUGGER_FILE}');
      worker.postMessage(script);
    },
    onUnregister() {},
  });
})()`;

/** JavaScript for Firefox's own window, once: prepares what setWorkerScript() needs. */
export const OBSERVE_WORKERS = `(() => {
  const folder = Services.dirsvc.get('UChrm', Ci.nsIFile);
  Services.io.getProtocolHandler('resource').QueryInterface(Ci.nsIResProtocolHandler)
    .setSubstitution('bench', Services.io.newFileURI(folder));
  Services.ppmm.loadProcessScript('data:application/javascript,' + encodeURIComponent(${JSON.stringify(LISTEN)}), true);
})()`;

/** JavaScript for Firefox's own window: has a script run first in every worker of a user context from now on; null: none. */
export function setWorkerScript(script: string | null): string {
  return `(() => {
    const { sharedData } = Services.ppmm;
    sharedData.set('${SCRIPT}', ${JSON.stringify(script)});
    sharedData.flush();
  })()`;
}
