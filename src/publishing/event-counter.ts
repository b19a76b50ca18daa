import type { Static } from '../contract/schema.ts';
import { chunk, groupBy } from '../contract/values.ts';
import type { Services } from '../core/handler.ts';
import type { SiteEvent } from '../resources/site-insights/contract.ts';
import { recordEvents } from './visitor-event.ts';

type Event = Static<typeof SiteEvent>;

/** Maximum number of waiting events. More are not counted. */
const maxWaiting = 2000;
/** Maximum number of events that one write stores. */
const batch = 100;
/** Milliseconds after which events are stored. */
const wait = 10_000;

/** Collects events of visitors, and stores many in one write. */
export class EventCounter {
  readonly #services: Services;
  #waiting: { readonly siteId: string; readonly event: Event }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(services: Services) {
    this.#services = services;
  }

  add(siteId: string, event: Event): void {
    if (this.#waiting.length >= maxWaiting) return;
    this.#waiting.push({ siteId, event: { ...event, timestamp: this.#services.now() } });
    if (this.#waiting.length >= batch) void this.store();
    else this.#timer ??= setTimeout(() => void this.store(), wait).unref();
  }

  store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = this.#waiting;
    this.#waiting = [];
    this.#storing = this.#storing.then(() => this.#write(all));
    return this.#storing;
  }

  async #write(all: readonly { readonly siteId: string; readonly event: Event }[]): Promise<void> {
    for (const [siteId, waiting] of groupBy(all, (one) => one.siteId))
      for (const some of chunk(waiting, batch))
        try {
          await recordEvents(
            this.#services,
            siteId,
            some.map(({ event }) => event),
          );
        } catch {
          // If the store is busy, some views are not counted. This must not cause an error.
        }
  }
}
