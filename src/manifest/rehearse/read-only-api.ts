import type { Api } from '../../contract/api.ts';

/** An Api that changes nothing, and how many calls it made. */
export interface ReadOnlyApi extends Api {
  readonly callCount: () => number;
}

/** Lets only reading calls through, and asks each once: all that a rehearsal reads is of one moment, as far as that goes. */
export function readOnlyApi(api: Api): ReadOnlyApi {
  const answers = new Map<string, Promise<unknown>>();
  const call: Api['call'] = (operation, input, options) => {
    if (operation.method !== 'GET')
      return Promise.reject(new Error(`a rehearsal would have sent ${operation.id}`));
    const key = JSON.stringify([operation.id, input]);
    const answer = answers.get(key) ?? api.call(operation, input, options);
    answers.set(key, answer);
    return answer as ReturnType<typeof api.call> as never;
  };
  return { place: api.place, call, close: () => api.close(), callCount: () => answers.size };
}
