import type { Api } from '../../contract/api.ts';
import type { Operation, PathParams } from '../../contract/operation.ts';
import { Problem } from '../../errors/problem.ts';
import { redactSecrets } from './secret-texts.ts';

/** A request of a command that may have changed something. */
export interface Change {
  readonly method: string;
  readonly path: string;
  /** "done", or the reason of the error. */
  readonly outcome: string;
}

/** The requests of a command that may have changed something. */
export interface Changes {
  /** The store or server. */
  readonly place: string;
  /** The numbers of successful and failed requests. */
  readonly done: number;
  readonly failed: number;
  /** The first of these requests, without bodies and answers. */
  readonly requests: readonly Change[];
}

const maxRequests = 100;

/** Creates a collector of the changes of a command. */
export function collectChanges(): {
  add: (change: Change, place: string) => void;
  all: () => Changes;
} {
  const requests: Change[] = [];
  let [place, done, failed] = ['', 0, 0];
  return {
    add: (change, at) => {
      place = at;
      if (change.outcome === 'done') done++;
      else failed++;
      if (requests.length < maxRequests) requests.push(change);
    },
    all: () => ({ place, done, failed, requests }),
  };
}

/** Wraps an Api so that each request that may change something is reported after it has ended. */
export function observeChanges(api: Api, onChange: (change: Change) => void): Api {
  const report = async <T>(method: string, path: string, work: () => Promise<T>): Promise<T> => {
    if (method === 'GET' || method === 'HEAD') return work();
    try {
      const answer = await work();
      onChange({ method, path: redactSecrets(path), outcome: 'done' });
      return answer;
    } catch (error) {
      onChange({
        method,
        path: redactSecrets(path),
        outcome: error instanceof Problem ? error.reason : 'unexpected',
      });
      throw error;
    }
  };
  const call: Api['call'] = (operation, input, options) => {
    const { params = {} } = input as { params?: PathParams };
    const work = () => api.call(operation, input, options);
    return operation.safe ? work() : report(operation.method, pathOfCall(operation, params), work);
  };
  const { send } = api;
  return {
    ...api,
    call,
    ...(send !== undefined && {
      send: (request) =>
        report(request.method, `/v1${request.path.replace(/[?#].*$/s, '')}`, () => send(request)),
    }),
  };
}

/** Returns the path of a call with the values of its parameters. */
export function pathOfCall({ path }: Operation, params: PathParams): string {
  return `/v1${path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`;
}
