import type { Problem, ProblemBody } from '../errors/problem.ts';
import type { Family } from './metrics.ts';
import type { Lease } from './rate-limit.ts';
import type { TlsIdentity } from './tls.ts';
import type { DailyKey } from './visitor-names.ts';

/** The addresses and the store of a server of several processes. */
export interface ServedPlace {
  readonly url: string;
  readonly sitesUrl?: string | undefined;
  readonly store: string;
}

/** The data that a process of a server gets at its start. */
export interface MemberSetup {
  /** The number of the process, from 1. A replacement of a process has the same number. */
  readonly number: number;
  readonly visitorKey: DailyKey;
  /** The addresses, if other processes already serve them. */
  readonly place?: ServedPlace | undefined;
  /** The certificate that the server uses, if it has one. */
  readonly identity?: TlsIdentity | undefined;
}

/** Messages from the first process of a server to the others. */
export type ToMember =
  | { readonly type: 'setup'; readonly setup: MemberSetup }
  | { readonly type: 'complete'; readonly isComplete: boolean }
  | { readonly type: 'collect'; readonly id: number }
  | { readonly type: 'lease'; readonly id: number; readonly lease: Lease }
  | { readonly type: 'reload' }
  | { readonly type: 'stop' };

/** Messages from the other processes of a server to the first one. */
export type FromMember =
  | { readonly type: 'hello' }
  | { readonly type: 'ready'; readonly place: ServedPlace }
  | {
      readonly type: 'failed';
      readonly reason: Problem['reason'];
      readonly error: ProblemBody['error'];
    }
  | { readonly type: 'metrics'; readonly id: number; readonly families: readonly Family[] }
  | {
      readonly type: 'take';
      readonly id: number;
      readonly name: string;
      readonly limit: number;
      readonly client: string;
    };

/** The environment variable of a process that serves together with others. */
export const memberVariable = 'DOCSCTL_SERVER_PROCESS';
