import { groupBy } from '../../contract/values.ts';
import { Problem, withPath, type Violation } from '../../errors/problem.ts';
import { limits } from './limits.ts';
import type { SourceLocation } from '../../richtext/yaml-tree.ts';

export type { SourceLocation };

interface Fault {
  readonly at: SourceLocation;
  readonly message: string;
}

/** Collects all faults of a manifest, so that one run reports all of them. */
export class Faults {
  readonly #found: Fault[] = [];
  #count = 0;
  #hidesBlocks = false;

  /** Whether a fault may have hidden blocks. References to them would then seem to lead nowhere. */
  get hidesBlocks(): boolean {
    return this.#hidesBlocks;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a fault. The message is half a sentence without a full stop: `is not a known field`. */
  add(at: SourceLocation, message: string): void {
    this.#count++;
    if (this.#found.length < limits.faults) this.#found.push({ at, message });
  }

  /** Whether a fault at exactly this location was added. */
  has(at: SourceLocation): boolean {
    return this.#found.some((fault) => fault.at === at);
  }

  /** Adds a fault in a map or list that may contain blocks. */
  addHiding(at: SourceLocation, message: string): void {
    this.#hidesBlocks = true;
    this.add(at, message);
  }

  /** Adds all faults of another collection. */
  addAll(other: Faults): void {
    for (const fault of other.#found) if (this.#found.length < limits.faults) this.#found.push(fault);
    this.#count += other.#count;
    this.#hidesBlocks ||= other.#hidesBlocks;
  }

  /** The first faults, sorted by file and line, and the number of further ones. */
  get violations(): readonly Violation[] {
    const more = this.#count - this.#found.length;
    const found = [...groupBy(this.#found, ({ at }) => at.file).values()].flatMap((faults) =>
      faults.sort(({ at: one }, { at: other }) => one.line - other.line || one.column - other.column),
    );
    const violations = found.map(({ at, message }) => ({ path: formatLocation(at), message }));
    return more === 0 ? violations : [...violations, { path: '…', message: `and ${more} more` }];
  }

  /** @throws Problem(invalid-input) with all faults, if there are any */
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

/** Returns the location of a whole file, or of something outside of files, such as `--var name`. */
export function wholeFile(file: string): SourceLocation {
  return { file, line: 0, column: 0 };
}

/** Formats a location as `org.yaml:3:5`, which editors and terminals turn into a link. */
export function formatLocation({ file, line, column }: SourceLocation): string {
  return line === 0 ? file : `${file}:${line}:${column}`;
}
