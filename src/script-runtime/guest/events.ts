import { setDomException } from './host.ts';
import { clearTimeout, setTimeout } from './timers.ts';

/** `DOMException` of the Web IDL standard. */
export class DOMException extends Error {
  override readonly name: string;
  constructor(message = '', name = 'Error') {
    super(message);
    this.name = name;
  }
}
setDomException((message, name) => new DOMException(message, name));

type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };

/** `Event` of the DOM standard, without propagation. */
export class Event {
  readonly type: string;
  target: EventTarget | null = null;
  defaultPrevented = false;
  constructor(type: string) {
    this.type = String(type);
  }
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** `EventTarget` of the DOM standard. */
export class EventTarget {
  readonly #listeners = new Map<string, Map<Listener, boolean>>();
  addEventListener(type: string, listener: Listener, options: boolean | { once?: boolean } = false): void {
    const ofType = this.#listeners.get(type) ?? new Map<Listener, boolean>();
    this.#listeners.set(type, ofType);
    ofType.set(listener, typeof options === 'object' && options.once === true);
  }
  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }
  dispatchEvent(event: Event): boolean {
    event.target = this;
    for (const [listener, once] of this.#listeners.get(event.type) ?? []) {
      if (once) this.removeEventListener(event.type, listener);
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    }
    return !event.defaultPrevented;
  }
}

/** `AbortSignal` of the DOM standard. */
export class AbortSignal extends EventTarget {
  aborted = false;
  reason: unknown;
  onabort: ((event: Event) => void) | null = null;
  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal();
    abortSignal(signal, reason);
    return signal;
  }
  static timeout(milliseconds: number): AbortSignal {
    const signal = new AbortSignal();
    const end = () => abortSignal(signal, new DOMException('The operation timed out.', 'TimeoutError'));
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
    return signal;
  }
  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const any = new AbortSignal();
    for (const signal of signals) {
      if (signal.aborted) return AbortSignal.abort(signal.reason);
      signal.addEventListener('abort', () => abortSignal(any, signal.reason), { once: true });
    }
    return any;
  }
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

function abortSignal(signal: AbortSignal, reason?: unknown): void {
  if (signal.aborted) return;
  signal.aborted = true;
  signal.reason = reason ?? new DOMException('This operation was aborted', 'AbortError');
  const event = new Event('abort');
  signal.onabort?.(event);
  signal.dispatchEvent(event);
}

/** `AbortController` of the DOM standard. */
export class AbortController {
  readonly signal = new AbortSignal();
  abort(reason?: unknown): void {
    abortSignal(this.signal, reason);
  }
}
