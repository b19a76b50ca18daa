import type { Api } from '../../contract/api.ts';

interface ReadOnlyApi extends Api {
  readonly callCount: () => number;
}

/** Lets only reading calls through, each once, so that a rehearsal sees one state as far as possible. */
export function readOnlyApi(api: Api): ReadOnlyApi {
  const answers = new Map<string, Promise<unknown>>();
  const call: Api['call'] = (operation, input, options) => {
    if (operation.method !== 'GET')
      return Promise.reject(new Error(`a rehearsal would have sent ${operation.id}`));
    const key = JSON.stringify([operation.id, input]);
    const answer = answers.get(key) ?? api.call(operation, input, options);
    answers.set(key, answer);
    return answer as never;
  };
  return { place: api.place, call, close: () => api.close(), callCount: () => answers.size };
}
