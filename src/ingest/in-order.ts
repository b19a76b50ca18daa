/** Things that end in any order, and are settled in the order in which they began. */
export class InOrder {
  readonly #open: { ended: boolean; readonly settle: () => void }[] = [];

  /** Call what it gives when the thing has ended. */
  begin(settle: () => void): () => void {
    const one = { ended: false, settle };
    this.#open.push(one);
    return () => {
      one.ended = true;
      while (this.#open[0]?.ended === true) this.#open.shift()!.settle();
    };
  }
}
