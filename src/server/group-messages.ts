import type { Problem, ProblemBody } from '../errors/problem.ts';
import type { Family } from './metrics.ts';
import type { Lease } from './rate-limit.ts';
import type { DailyKey } from './visitor-names.ts';

/** Where a server of several processes listens, and its store. */
export interface ServedPlace {
  readonly url: string;
  readonly sitesUrl?: string | undefined;
  readonly store: string;
}

/** What a process of a server needs to know before it starts. */
export interface MemberSetup {
  /** The number of the process, from 1. A process that takes the place of another has its number. */
  readonly number: number;
  readonly visitorKey: DailyKey;
  /** The addresses, if other processes serve them already. */
  readonly place?: ServedPlace | undefined;
}

/** What the first process of a server tells the others. */
export type ToMember =
  | { readonly type: 'setup'; readonly setup: MemberSetup }
  | { readonly type: 'complete'; readonly isComplete: boolean }
  | { readonly type: 'collect'; readonly id: number }
  | { readonly type: 'lease'; readonly id: number; readonly lease: Lease }
  | { readonly type: 'reload' }
  | { readonly type: 'stop' };

/** What processes of a server tell the first one. */
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

/** The variable that tells a process that it was started to serve with others. */
export const memberVariable = 'DOCSCTL_SERVER_PROCESS';
