/** Liveness paths of the API server and of published sites. They also answer while the server stops. */
export const livenessPaths: ReadonlySet<string> = new Set(['/livez', '/healthz', '/~gitbook/healthz']);

/** Readiness paths. They answer with an error as soon as the server is asked to stop. */
export const readinessPaths: ReadonlySet<string> = new Set(['/readyz', '/~gitbook/readyz']);

/** Whether a path belongs to a probe. Probes are requested every few seconds. */
export function isProbe(path: string): boolean {
  return livenessPaths.has(path) || readinessPaths.has(path);
}
