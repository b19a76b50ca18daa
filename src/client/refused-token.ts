import { Problem } from '../errors/problem.ts';

/** The token that a request was sent with, as messages name it. */
interface SentToken {
  readonly origin: string;
  /** The setting that the token comes from, such as `DOCSCTL_TOKEN` or `profile work`; undefined without a token. */
  readonly from: string | undefined;
}

/** Describes an answer 401: which token the server refused, where it comes from, and which command gives another. */
export function refusedTokenProblem({ message, requestId }: Problem, { origin, from }: SentToken): Problem {
  if (from === undefined)
    return new Problem('unauthenticated', `${origin} requires a token, and none is set.`, {
      hint: `Run \`docsctl login --server ${origin}\`, or set DOCSCTL_TOKEN. ${creation}`,
      requestId,
    });
  return new Problem('unauthenticated', `${origin} refused the token from ${from}. ${message}`, {
    hint: `${renewal(origin, from)} ${creation}`,
    requestId,
  });
}

const creation = 'An administrator creates tokens with `docsctl tokens create`.';

/** Says how to replace the token that comes from a setting. */
export function renewal(origin: string, from: string, token = 'another token'): string {
  const [, profile] = /^profile (.+)$/.exec(from) ?? [];
  if (profile !== undefined)
    return `Run \`docsctl login --name ${profile} --server ${origin}\` with ${token}.`;
  return /^[A-Z_]+$/.test(from) ? `Set ${from} to ${token}.` : `Put ${token} into ${from}.`;
}
