import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import type { ScriptAnswer, ScriptLimits, ScriptLog, ScriptMessage } from '../core/scripts.ts';

export interface FetchRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly redirect: string;
  readonly body?: Uint8Array | undefined;
}

export interface FetchAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly body: Uint8Array;
}

/** A message of the program to a script process. Runs and requests have numbers. */
export type ToRunner =
  | { readonly type: 'setup'; readonly guest: string; readonly limits: ScriptLimits }
  | {
      readonly type: 'run';
      readonly run: number;
      readonly context: string;
      readonly version: string;
      readonly form: 'v1' | 'v2';
      /** Undefined if a context of this version should already exist. */
      readonly script: string | undefined;
      readonly message: ScriptMessage;
    }
  | { readonly type: 'abort'; readonly run: number }
  | { readonly type: 'fetched'; readonly call: number; readonly answer: FetchAnswer }
  | { readonly type: 'fetch-failed'; readonly call: number; readonly error: string };

export type FromRunner =
  | { readonly type: 'missing' | 'started'; readonly run: number }
  | { readonly type: 'log'; readonly run: number; readonly log: ScriptLog }
  | { readonly type: 'fetch'; readonly run: number; readonly call: number; readonly request: FetchRequest }
  | { readonly type: 'answer'; readonly run: number; readonly answer: ScriptAnswer }
  | { readonly type: 'done'; readonly run: number; readonly error?: string | undefined };

/** The first line of a message to workerd. The body of a request follows. */
export interface ToWorkerd {
  readonly event: unknown;
  readonly environment: unknown;
  readonly hasBody: boolean;
  /** Maximum size of the answer, in bytes. */
  readonly maxAnswer: number;
}

/** A line from workerd. */
export type FromWorkerd =
  | { readonly type: 'log'; readonly level: ScriptLog['level']; readonly message: string }
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      /** Base64. */
      readonly body: string;
    }
  | { readonly type: 'too-large' | 'done' }
  | { readonly type: 'failed'; readonly error: string };

/** Maximum size of one message in bytes: far more than any allowed message. */
const maxFrame = 64 * 2 ** 20;

/**
 * Returns a function that sends values over a pipe, and calls `receive` for each received value. Closes the pipe if it receives
 * invalid data.
 */
export function exchange<Sent, Received>(
  pipe: Duplex,
  receive: (value: Received) => void,
): (value: Sent) => void {
  let held: Buffer[] = [];
  let size = 0;
  pipe.on('data', (chunk: Buffer) => {
    held.push(chunk);
    size += chunk.length;
    for (;;) {
      if (size < 4) return;
      if (held.length > 1 && (held[0]?.length ?? 0) < 4) held = [Buffer.concat(held)];
      const length = held[0]?.readUInt32BE(0) ?? 0;
      if (length > maxFrame) return void pipe.destroy();
      if (size < 4 + length) return;
      const all = Buffer.concat(held);
      held = [all.subarray(4 + length)];
      size = all.length - 4 - length;
      let value: Received;
      try {
        value = deserialize(all.subarray(4, 4 + length)) as Received;
      } catch {
        return void pipe.destroy();
      }
      receive(value);
    }
  });
  return (value) => {
    const bytes = serialize(value);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(bytes.length);
    if (pipe.writable) pipe.write(Buffer.concat([head, bytes]));
  };
}
