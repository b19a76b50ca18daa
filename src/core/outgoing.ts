/** A request to a server that a user, or whoever runs docsctl, named. */
export interface OutgoingRequest {
  /** http or https, without a name and password in it. */
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Hops that may be followed, each judged anew. Default 3; 0 for whatever carries a secret. */
  readonly maxRedirects?: number;
  /** Bytes that the answer may have. Default 10 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds for all of it. Default 15 000. */
  readonly timeout?: number;
  /** Who runs docsctl named the address, in the environment or a setting: it may be a private one. */
  readonly trusted?: true;
  readonly signal?: AbortSignal;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

/**
 * The one way out. Any status is an answer. Throws `forbidden` for an address that may not be reached (private,
 * link-local, of this machine, or not http), `unreachable`, `timed-out`, `too-large`, or `interrupted`.
 */
export type Outgoing = (request: OutgoingRequest) => Promise<OutgoingAnswer>;

/** Refuses an address as `Outgoing` would, for what can be told of it without asking anybody: a name is judged when it is resolved. */
export type AddressCheck = (url: string) => Promise<void>;
