/** A message to the script of an integration. Both forms of scripts and tunnels get the same messages. */
export interface ScriptMessage {
  readonly event: { readonly type: string; readonly eventId: string; readonly [field: string]: unknown };
  readonly environment: object;
  /** The body of the request that an event `fetch` stands for. */
  readonly body?: Uint8Array | undefined;
}

/** A line of the log of a script, written by the script or by the runtime. */
export interface ScriptLog {
  readonly message: string;
  /** ISO time. */
  readonly timestamp: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
}

export interface ScriptAnswer {
  readonly status: number;
  /** Pairs, because `set-cookie` may occur several times. Names are in lower case. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** The result of a message: an answer, or the reason why there is none. */
export interface ScriptResult {
  readonly answer?: ScriptAnswer;
  /** One sentence. */
  readonly error?: string;
  /** Whether the same message may succeed later: the runtime is busy, or a tunnel is out of reach. */
  readonly isTransient?: boolean;
  readonly logs: readonly ScriptLog[];
}

export interface ScriptRun {
  /** The ID of the integration. Scripts of different integrations never share a process. */
  readonly integration: string;
  /** The ID of the installation, if the message is about one. Each installation has a separate context. */
  readonly installation?: string | undefined;
  /** A text that changes when the script, or data that it may have kept, changes. Its contexts are then discarded. */
  readonly version: string;
  /** `v1`: a script that adds a listener of the event "fetch"; `v2`: a module that exports a function `fetch`. */
  readonly form: 'v1' | 'v2';
  /** Reads the script. Called only if there is no context of this version. */
  readonly script: () => Promise<string>;
  readonly message: ScriptMessage;
  readonly signal?: AbortSignal | undefined;
  /** Called with the answer, possibly while the script still does other work. */
  readonly onAnswer?: (answer: ScriptAnswer) => void;
}

export interface ScriptRuntime {
  /** Gives a message to a script and waits until it is done. @throws Problem(interrupted) if the signal is aborted */
  run(request: ScriptRun): Promise<ScriptResult>;
  close(): Promise<void>;
}

/** Limits of one message. Times are in milliseconds, sizes in bytes. */
export interface ScriptLimits {
  /** CPU time of the script. */
  readonly computing: number;
  /** Total time, including the time that the script waits. */
  readonly total: number;
  /** Memory of one context. */
  readonly memory: number;
  /** Size of its answer, and of each answer that it gets. */
  readonly answer: number;
  /** Requests that it may send. */
  readonly requests: number;
}

export const defaultScriptLimits: ScriptLimits = {
  computing: 5000,
  total: 15_000,
  memory: 128 * 2 ** 20,
  answer: 5 * 2 ** 20,
  requests: 100,
};
