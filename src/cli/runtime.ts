import type { Terminal } from './terminal.ts';

/** All that the command line takes from the outside; made from `process` by main.ts, by hand in tests. */
export interface Runtime {
  /** Words after `docsctl`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly version: string;
  readonly terminal: Terminal;
  /** Where questions are drawn. */
  readonly promptOutput: NodeJS.WritableStream;
  readonly clock: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Leaves Ctrl-C to the program that has the terminal meanwhile (an editor); the function given back ends that. */
  readonly holdInterrupts: () => () => void;
}
