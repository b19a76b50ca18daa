import { groupBy } from '../../contract/values.ts';
import { Problem, withPath, type Violation } from '../../errors/problem.ts';
import { limits } from './limits.ts';
import { formatLocation, type SourceLocation } from './source-location.ts';

interface Fault {
  readonly at: SourceLocation;
  readonly message: string;
}

/** Collects all that is wrong with a manifest, so that one run tells everything. */
export class Faults {
  readonly #found: Fault[] = [];
  #count = 0;
  #hidesBlocks = false;

  /** Whether something is wrong that may keep blocks from being found, so that references to them would seem to lead nowhere. */
  get hidesBlocks(): boolean {
    return this.#hidesBlocks;
  }

  get count(): number {
    return this.#count;
  }

  /** A message is half a sentence without a full stop: `is not a known field`. */
  add(at: SourceLocation, message: string): void {
    this.#count++;
    if (this.#found.length < limits.faults) this.#found.push({ at, message });
  }

  /** Whether something is wrong at exactly this location. */
  has(at: SourceLocation): boolean {
    return this.#found.some((fault) => fault.at === at);
  }

  /** Adds what is wrong with a map or list that may hold blocks. */
  addHiding(at: SourceLocation, message: string): void {
    this.#hidesBlocks = true;
    this.add(at, message);
  }

  /** Takes over what another collection found. */
  addAll(other: Faults): void {
    for (const fault of other.#found) if (this.#found.length < limits.faults) this.#found.push(fault);
    this.#count += other.#count;
    this.#hidesBlocks ||= other.#hidesBlocks;
  }

  /** The first faults that were found, by file in the order of their lines, and the number of the others. */
  get violations(): readonly Violation[] {
    const more = this.#count - this.#found.length;
    const found = [...groupBy(this.#found, ({ at }) => at.file).values()].flatMap((faults) =>
      faults.sort(({ at: one }, { at: other }) => one.line - other.line || one.column - other.column),
    );
    const violations = found.map(({ at, message }) => ({ path: formatLocation(at), message }));
    return more === 0 ? violations : [...violations, { path: '…', message: `and ${more} more` }];
  }

  /** @throws Problem(invalid-input) with everything that was found, if anything was. */
  throwIfAny(hint?: string): void {
    const { violations } = this;
    const [first] = violations;
    if (first === undefined) return;
    const message =
      this.#count === 1
        ? `${withPath(first)}${first.message.endsWith('?') ? '' : '.'}`
        : `The manifest has ${this.#count} errors.`;
    throw new Problem('invalid-input', message, { violations, hint });
  }
}
