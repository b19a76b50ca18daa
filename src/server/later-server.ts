import type { RequestListener, Server as Sockets } from 'node:http';
import { logFault } from './access-log.ts';
import { refusalOf } from './errors.ts';
import type { ServerLimits } from './limits.ts';
import { listen, type ListenOptions } from './listen.ts';
import type { Log } from './log.ts';
import { answerClientError, createSockets, sendRefusal } from './sockets.ts';
import type { Tls } from './tls.ts';

/** Sets the listener for the requests of an application, and returns the sockets that receive them. */
export type TakeSockets = (listener: RequestListener) => Sockets;

interface Created {
  readonly drain: () => void;
  readonly stop: (grace: number) => Promise<void>;
}

interface LaterServerOptions {
  readonly limits: ServerLimits;
  readonly newRequestId: () => string;
  readonly tls?: Tls | undefined;
  readonly log?: Log;
  readonly create: (sockets: TakeSockets) => Promise<Created>;
}

/** A server that is created at its first request. */
export interface LaterServer extends Created {
  readonly listen: (options: ListenOptions) => Promise<{ url: string }>;
}

/**
 * Listens for a server that is created at its first request, because loading it takes longer than the rest of the start. Requests
 * wait for it meanwhile.
 */
export function createLaterServer({
  limits,
  newRequestId,
  tls,
  log,
  create,
}: LaterServerOptions): LaterServer {
  let isDraining = false;
  let listener: RequestListener | undefined;
  let opening: Promise<Created> | undefined;
  const sockets = createSockets(
    (request, response) => {
      if (listener !== undefined) return listener(request, response);
      open().then(
        () => listener?.(request, response),
        (error: unknown) => {
          const id = newRequestId();
          if (log !== undefined) logFault(log, id, error);
          sendRefusal(response, refusalOf(error), id);
        },
      );
    },
    limits,
    newRequestId,
    tls,
  );
  const answerEarly = (error: Error, socket: Parameters<typeof answerClientError>[1]): void =>
    answerClientError(error, socket, newRequestId);
  sockets.on('clientError', answerEarly);
  const start = async (): Promise<Created> => {
    let taken: RequestListener | undefined;
    const created = await create((given) => {
      taken = given;
      // The application has its own listener.
      sockets.off('clientError', answerEarly);
      return sockets;
    });
    if (isDraining) created.drain();
    listener = taken;
    return created;
  };
  const open = (): Promise<Created> =>
    (opening ??= start().catch((error: unknown) => {
      // The next request tries again.
      opening = undefined;
      throw error;
    }));
  return {
    listen: (options) => listen(sockets, options),
    drain: () => {
      isDraining = true;
      // If it could not be created, the request already got the error.
      opening?.then((created) => created.drain()).catch(() => {});
    },
    stop: async (grace) => {
      const created = await opening?.catch(() => undefined);
      if (created !== undefined) return created.stop(grace);
      const closed = new Promise<void>((resolve) => sockets.close(() => resolve()));
      sockets.closeAllConnections();
      await closed;
    },
  };
}
