import { answer, responder, type WorkerdContext } from './workerd.ts';

// Prepended to scripts of the first form in workerd.

interface FetchEvent extends WorkerdContext {
  readonly request: Request;
  readonly respondWith: (answer: Promise<Response>) => void;
}
type Listen = (type: 'fetch', listener: (event: FetchEvent) => void) => void;

const { addEventListener } = globalThis as unknown as { addEventListener: Listen };
addEventListener('fetch', (event) => event.respondWith(answer(event.request, event)));
Object.defineProperty(globalThis, 'addEventListener', {
  value: responder.addEventListener,
  writable: true,
  configurable: true,
});
