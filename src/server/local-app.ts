import { localSessions } from '../app-pages/app-sessions.ts';
import type { Credential } from '../core/callers.ts';
import type { Core } from '../core/embedded.ts';
import { addNotFoundHandler, createApp } from './app.ts';
import { addAppRoutes } from './app-routes.ts';
import { defaultLimits } from './limits.ts';
import { listen, type ListenOptions } from './listen.ts';
import { stopApp } from './stop.ts';

/** A server of the pages for the person who opened the store on this machine. It has no API. */
interface LocalServer {
  /** Returns a link that opens a path once, in one browser. */
  readonly linkTo: (path: string) => string;
  readonly listen: (options: ListenOptions) => Promise<{ url: string }>;
  readonly close: () => Promise<void>;
}

/** Milliseconds to wait for open requests when the server stops. */
const grace = 1000;

/** Creates a server of the pages of a store. It reads with one credential. Call `listen` to start it. */
export async function createLocalServer(core: Core, credential: Credential): Promise<LocalServer> {
  const { sessions, createCode } = localSessions(core, credential);
  const app = createApp({
    clock: core.clock,
    limits: defaultLimits,
    newRequestId: () => core.newId('req'),
    log: undefined,
  });
  addAppRoutes(app, { core, sessions: async () => sessions, answerTimeout: defaultLimits.answerTimeout });
  addNotFoundHandler(app, () => []);
  await app.ready();
  return {
    linkTo: (path) => `${core.publicUrl}/o/~session?code=${createCode(path)}`,
    listen: (options) => listen(app.server, options),
    close: () => stopApp(app, grace),
  };
}
