/** How far a long piece of work is. */
export interface Progress {
  tick(count?: number): void;
  /** Shows what is being done now, beside the count. */
  note(text: string): void;
  /** Removes the line. */
  done(): void;
}
