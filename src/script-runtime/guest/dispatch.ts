import { Blob, FormData } from './blob.ts';
import { Response } from './body.ts';
import { callHost } from './host.ts';
import { Request } from './request.ts';
import { createResponder, describeThrown } from './respond.ts';

const { addEventListener, useModule, respond } = createResponder<Request>();
export { addEventListener, useModule };

interface Message {
  readonly event: unknown;
  readonly environment: unknown;
  readonly hasBody: boolean;
}

/** Passes a message to the script, and its answer to the host. */
export function dispatch(text: string, bytes: ArrayBuffer): void {
  const { event, environment, hasBody } = JSON.parse(text) as Message;
  const form = new FormData();
  form.append('event', JSON.stringify(event));
  form.append('environment', JSON.stringify(environment));
  if (hasBody) form.append('fetch-body', new Blob([bytes]), 'fetch-body');
  void answer(new Request('http://any/v1', { method: 'POST', body: form }));
}

async function answer(request: Request): Promise<void> {
  const work: Promise<unknown>[] = [];
  const waitUntil = (one: unknown): void => {
    const noted = Promise.resolve(one).catch((error: unknown) => {
      callHost('log', ['error', `A promise given to waitUntil failed: ${describeThrown(error)}`]);
    });
    work.push(noted);
  };
  try {
    const response = await respond(request, waitUntil);
    if (!(response instanceof Response)) throw new TypeError('The script did not answer with a Response.');
    const { status, headers } = response;
    const bytes = await response.arrayBuffer();
    callHost('answer', { status, headers: [...headers] }, bytes);
  } catch (error) {
    callHost('failed', describeThrown(error));
  }
  for (let done = 0; done < work.length; done++) await work[done];
  callHost('done', null);
}
