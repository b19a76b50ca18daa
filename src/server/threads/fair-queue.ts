import { getOrInsert } from '../../contract/values.ts';

/** Work that waits for a free thread. */
interface Waiting {
  readonly organization: string;
}

/** A queue in which the organizations take turns: each waits for at most one item of every other organization. */
export class FairQueue<T extends Waiting> {
  readonly #byOrganization = new Map<string, T[]>();

  /** Returns the number of waiting items of an organization. */
  countOf(organization: string): number {
    return this.#byOrganization.get(organization)?.length ?? 0;
  }

  /** The number of all waiting items. */
  get size(): number {
    let size = 0;
    for (const works of this.#byOrganization.values()) size += works.length;
    return size;
  }

  add(work: T): void {
    getOrInsert(this.#byOrganization, work.organization, () => []).push(work);
  }

  /** Removes and returns the oldest item of the next organization that may take a turn now. */
  take(mayTakeTurn: (organization: string) => boolean): T | undefined {
    for (const [organization, works] of this.#byOrganization) {
      if (!mayTakeTurn(organization)) continue;
      const work = works.shift();
      // Moves the organization to the end of the line.
      this.#byOrganization.delete(organization);
      if (works.length > 0) this.#byOrganization.set(organization, works);
      return work;
    }
    return undefined;
  }

  /** Removes an item that is no longer needed. Returns false if it is not in the queue. */
  remove(work: T): boolean {
    const works = this.#byOrganization.get(work.organization);
    const at = works?.indexOf(work) ?? -1;
    if (works === undefined || at === -1) return false;
    works.splice(at, 1);
    if (works.length === 0) this.#byOrganization.delete(work.organization);
    return true;
  }
}
