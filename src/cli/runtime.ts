import type { Api } from '../contract/api.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { BlobStorage } from '../core/blob-storage.ts';
import type { Core } from '../core/embedded.ts';
import type { WhileAlone } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../core/store.ts';
import type { Copy, CopyFounder } from '../manifest/rehearse/copy.ts';

export interface OpenCoreOptions {
  /** Base of the URLs in answers; http://localhost:8080 by default. */
  readonly publicUrl?: string | undefined;
  /** Base of the URLs of sites; `publicUrl` by default. */
  readonly sitesUrl?: string | undefined;
  /** Takes missing URLs from the latest server of the store. */
  readonly asLatestServer?: boolean;
  /** Creates a missing store, like `init`. Otherwise a mistyped path would become an empty store. */
  readonly create?: boolean;
  /** Wraps the store of the core, for example to measure its transactions (default: unchanged). */
  readonly wrapStore?: (store: Store) => Store;
  /** Runs work while no other thread of this process uses the store (default: there are no others). */
  readonly whileAlone?: WhileAlone | undefined;
  /** File with certificates to trust in requests to other services. */
  readonly caFile?: Setting | undefined;
}

/** Options for connecting to an Api that are not settings. */
export interface ConnectOptions {
  /** Maximum seconds for one call. */
  readonly timeout?: number;
  /** Maximum seconds to wait before a call is repeated. */
  readonly retryMaxWait?: number;
  /** Allows sending the token over plain HTTP to a private network. */
  readonly allowHttp?: boolean;
  /** Receives each request with its answer. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** How commands access data. main.ts passes it in, so that this room depends on neither stores nor the HTTP client. */
interface Wiring {
  /** Connects to the Api in the settings: an embedded store or a server. */
  connectApi(
    runtime: Runtime,
    settings: Settings,
    note: (message: string) => void,
    options?: ConnectOptions,
  ): Promise<Api>;
  /** Checks variables that only some requests and jobs need. @throws Problem(invalid-input) */
  checkVariables(env: CoreRuntime['env']): Promise<void>;
  openCore(runtime: CoreRuntime, storeUrl: string, options?: OpenCoreOptions): Promise<Core>;
  /** Opens the blob storage at a URL. @throws Problem(invalid-input), Problem(store-failed) */
  openBlobs(runtime: Runtime, url: string, caFile?: Settings['caFile']): Promise<BlobStorage>;
  /**
   * Creates an empty core in memory for rehearsals. It sends no requests to other services, and `nextId` may choose the next ID.
   */
  openCopy(
    runtime: Runtime,
    founder: CopyFounder,
    nextId: () => string | undefined,
  ): Promise<Copy & { core: Core }>;
}

/** Everything that the command line gets from outside. main.ts creates it from `process`, and tests create their own. */
export interface Runtime {
  /** Words after `docsctl`. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly version: string;
  readonly terminal: Terminal;
  /** The output for questions. */
  readonly promptOutput: NodeJS.WritableStream;
  readonly clock: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Returns the name of the user of the operating system; undefined if it has none. */
  readonly osUser?: () => string | undefined;
  /** Whether the process was started by another one as part of the same server. */
  readonly isServerProcess?: boolean;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Calls the listener at each SIGHUP, until the returned function is called. Without a listener, SIGHUP ends the program. */
  readonly onHangup?: (listener: () => void) => () => void;
  /** Leaves Ctrl-C to the program that uses the terminal, such as an editor, until the returned function is called. */
  readonly holdInterrupts: () => () => void;
  /** Values are taken literally: commands do not read files or standard input for `@file` and `-`. */
  readonly literalValues?: boolean;
  /** Loads the wiring at its first use. */
  readonly wiring: () => Promise<Wiring>;
}

/**
 * Returns an object with other values of some properties. It is not a copy, because a runtime opens standard input when it is
 * first read.
 */
export function withValues<T extends object>(base: T, values: Partial<T>): T {
  const properties = Object.entries(values).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.create(base, Object.fromEntries(properties) as PropertyDescriptorMap) as T;
}

export type CoreRuntime = Pick<Runtime, 'env' | 'cwd' | 'version' | 'clock' | 'randomBytes' | 'osUser'>;

/** A destination for text, or for the bytes of a file. It waits if the reader is slow, and knows if the reader has closed it. */
export interface Sink {
  /** Writes. If it returns a promise, wait for it before you write more. */
  write(text: string | Uint8Array): void | Promise<void>;
  /** Waits until everything is written, and rejects with a Problem if that failed. */
  flush(): Promise<void>;
  /** True after the reader has closed the output (`| head -1`). Producing more is useless then. */
  readonly closed: boolean;
}

/** The properties of the terminal. It is created once, in main.ts. */
export interface Terminal {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdoutIsTTY: boolean;
  readonly stderrIsTTY: boolean;
  readonly stdinIsTTY: boolean;
  /** Width in character cells. */
  readonly columns: number;
  /** Height in lines, if standard output is a terminal that reports it. */
  readonly rows?: number | undefined;
  /** Whether output to a terminal is colored. Text for a pipe or a file never is. */
  readonly color: boolean;
}

export type SettingName =
  | 'store'
  | 'server'
  | 'token'
  | 'org'
  | 'space'
  | 'site'
  | 'profile'
  | 'as'
  | 'caFile'
  | 'publicUrl'
  | 'sitesUrl'
  | 'output'
  | 'color'
  | 'validateError'
  | 'validateWarn'
  | 'validateOff';

/** A value and where it came from, for `docsctl config explain`. */
export interface Setting {
  readonly value: string;
  readonly from: string;
}

export type Settings = Readonly<Partial<Record<SettingName, Setting>>>;
