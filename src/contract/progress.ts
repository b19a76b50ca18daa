/** How far a long piece of work is. */
export interface Progress {
  tick(count?: number): void;
  /** What is being done now, beside the count. */
  note(text: string): void;
  /** Takes the line away. */
  done(): void;
}
