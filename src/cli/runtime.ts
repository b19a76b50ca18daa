import type { Api } from '../contract/api.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { BlobStorage } from '../core/blob-storage.ts';
import type { Core } from '../core/embedded.ts';
import type { Store } from '../core/store.ts';
import type { Copy, CopyFounder } from '../manifest/rehearse/copy.ts';

export interface OpenCoreOptions {
  /** Base of the URLs in answers; http://localhost:8080 by default. */
  readonly publicUrl?: string | undefined;
  /** Base of the addresses of sites; `publicUrl` by default. */
  readonly sitesUrl?: string | undefined;
  /** Takes the URLs that are not given from the latest server of the store. */
  readonly asLatestServer?: boolean;
  /** Creates a store that does not exist, as `init` does. Otherwise a mistyped path would become an empty store. */
  readonly create?: boolean;
  /** Returns the store that the core uses, such as one that measures its transactions (default: the same). */
  readonly wrapStore?: (store: Store) => Store;
  /** File of certificates to trust in requests to other services. */
  readonly caFile?: Setting | undefined;
}

/** How a command reaches its Api, beside what the settings say. */
export interface ConnectOptions {
  /** Seconds that one call may take. */
  readonly timeout?: number;
  /** Seconds to wait before a call is repeated. */
  readonly retryMaxWait?: number;
  /** Allows sending the token over plain HTTP to a private network. */
  readonly allowHttp?: boolean;
  /** Receives each request with its answer. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** How commands reach data. main.ts passes it in, so that this room knows neither stores nor the HTTP client. */
interface Wiring {
  /** The Api that the settings name: an embedded store or a server. */
  connectApi(
    runtime: Runtime,
    settings: Settings,
    note: (message: string) => void,
    options?: ConnectOptions,
  ): Promise<Api>;
  /** Checks variables that only some requests and jobs need. @throws Problem(usage), Problem(precondition-failed) */
  checkVariables(env: CoreRuntime['env']): Promise<void>;
  openCore(runtime: CoreRuntime, storeUrl: string, options?: OpenCoreOptions): Promise<Core>;
  /** The blob storage at a URL. @throws Problem(invalid-input), Problem(store-failed) */
  openBlobs(runtime: Runtime, url: string, caFile?: Settings['caFile']): Promise<BlobStorage>;
  /** An empty core in memory to rehearse in; it sends nothing out, and `nextId` may choose the next id. */
  openCopy(
    runtime: Runtime,
    founder: CopyFounder,
    nextId: () => string | undefined,
  ): Promise<Copy & { readonly core: Core }>;
}

/** Everything that the command line takes from the outside: main.ts makes it from `process`, tests make their own. */
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
  /** Returns the name of the user of the operating system; undefined if it has none. */
  readonly osUser?: () => string | undefined;
  /** Whether another process has started this one to serve with it. */
  readonly isServerProcess?: boolean;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Calls the function at each SIGHUP, until the function given back is called. Without it, SIGHUP ends the program. */
  readonly onHangup?: (listener: () => void) => () => void;
  /** Leaves Ctrl-C to the program that has the terminal meanwhile (an editor); the function given back ends that. */
  readonly holdInterrupts: () => () => void;
  /** Values are taken as they are: no command reads a file or standard input for `@file` and `-`. */
  readonly literalValues?: boolean;
  /** Loads the wiring at its first use. */
  readonly wiring: () => Promise<Wiring>;
}

export type CoreRuntime = Pick<Runtime, 'env' | 'cwd' | 'version' | 'clock' | 'randomBytes' | 'osUser'>;

/** Where text, or the bytes of a file, go: waits when the reader is slow, and knows when nobody reads any more. */
export interface Sink {
  /** Writes; the promise, if there is one, is to be awaited before more is written. */
  write(text: string | Uint8Array): void | Promise<void>;
  /** Waits until everything written has left, and rejects with a Problem if it could not. */
  flush(): Promise<void>;
  /** True once the reader has gone (`| head -1`): there is no use in producing more. */
  readonly closed: boolean;
}

/** What the program knows of the place where it is run from; made once, in main.ts. */
export interface Terminal {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdoutIsTTY: boolean;
  readonly stderrIsTTY: boolean;
  readonly stdinIsTTY: boolean;
  /** Width in character cells. */
  readonly columns: number;
  /** Height in lines, where standard output is a terminal that tells it. */
  readonly rows?: number | undefined;
  /** Whether to color what goes to a terminal; text that goes to a pipe or a file never is. */
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
