/** Work that waits until a thread is free. */
interface Waiting {
  readonly organization: string;
}

/** A queue in which the organizations take turns: each of them waits for one work of every other at most. */
export class FairQueue<T extends Waiting> {
  readonly #byOrganization = new Map<string, T[]>();

  /** The number of works of an organization that wait. */
  countOf(organization: string): number {
    return this.#byOrganization.get(organization)?.length ?? 0;
  }

  /** The number of all works that wait. */
  get size(): number {
    let size = 0;
    for (const works of this.#byOrganization.values()) size += works.length;
    return size;
  }

  add(work: T): void {
    const works = this.#byOrganization.get(work.organization);
    if (works === undefined) this.#byOrganization.set(work.organization, [work]);
    else works.push(work);
  }

  /** Takes the oldest work of the organization whose turn it is, among those that may have one now. */
  take(mayTakeTurn: (organization: string) => boolean): T | undefined {
    for (const [organization, works] of this.#byOrganization) {
      if (!mayTakeTurn(organization)) continue;
      const work = works.shift();
      // The organization goes to the end of the line.
      this.#byOrganization.delete(organization);
      if (works.length > 0) this.#byOrganization.set(organization, works);
      return work;
    }
    return undefined;
  }

  /** Removes a work that nobody waits for any longer. Returns false if it does not wait. */
  remove(work: T): boolean {
    const works = this.#byOrganization.get(work.organization);
    const at = works?.indexOf(work) ?? -1;
    if (works === undefined || at === -1) return false;
    works.splice(at, 1);
    if (works.length === 0) this.#byOrganization.delete(work.organization);
    return true;
  }
}
