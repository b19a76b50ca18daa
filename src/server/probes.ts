/** Where a server says that it runs, also while it stops: that of the API, and that of published sites. */
export const livenessPaths: ReadonlySet<string> = new Set(['/livez', '/healthz', '/~gitbook/healthz']);

/** Where a server says whether it takes requests. It says no from the moment when it is told to stop. */
export const readinessPaths: ReadonlySet<string> = new Set(['/readyz', '/~gitbook/readyz']);

/** Whether a path is one of these, which are asked every few seconds. */
export function isProbe(path: string): boolean {
  return livenessPaths.has(path) || readinessPaths.has(path);
}
