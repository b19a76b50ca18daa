import { named, Response } from './body.ts';
import { startOnHost } from './host.ts';
import { Request } from './request.ts';

interface Fetched {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
}

/** `fetch` of the Fetch standard. The host decides which addresses can be reached. */
export async function fetch(input: unknown, options?: object): Promise<Response> {
  const request = new Request(input, options);
  const { url, method, headers, redirect, signal } = request;
  signal.throwIfAborted();
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const bytes = hasBody ? await request.arrayBuffer() : undefined;
  const asked = { url, method, headers: [...headers], redirect };
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const answer = await Promise.race([
    startOnHost('fetch', asked, bytes === undefined || bytes.byteLength === 0 ? undefined : bytes),
    aborted,
  ]);
  const { status, headers: answered, url: last } = answer.value as Fetched;
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status);
  const response = new Response(isEmpty ? null : (answer.bytes ?? new ArrayBuffer(0)), {
    status,
    headers: answered,
  });
  return named(response, { url: last, redirected: last !== url, type: 'basic' });
}
