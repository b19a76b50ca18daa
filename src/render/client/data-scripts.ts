/** A loaded script with the value that it provided. */
interface DataScript extends HTMLScriptElement {
  value?: unknown;
}

declare global {
  // oxlint-disable-next-line no-var -- a property of the global object
  var docsctlData: ((value: unknown) => void) | undefined;
}

const loaded = new Map<string, Promise<unknown>>();

/**
 * Loads data from a script that calls `docsctlData(VALUE)`. Unlike a request, this also works for a page that was opened from a
 * disk. Returns undefined if there is no such script.
 */
export function loadData(address: string): Promise<unknown> {
  globalThis.docsctlData = (value) => {
    if (document.currentScript !== null) (document.currentScript as DataScript).value = value;
  };
  let found = loaded.get(address);
  if (found === undefined) {
    found = new Promise((resolve) => {
      const script: DataScript = document.createElement('script');
      script.src = address;
      script.addEventListener('load', () => resolve(script.value));
      script.addEventListener('error', () => resolve(undefined));
      document.head.append(script);
    });
    loaded.set(address, found);
  }
  return found;
}

/** Whether an address leads to a script with data. */
export function isDataScript(address: string): boolean {
  return new URL(address, location.href).pathname.endsWith('.js');
}
