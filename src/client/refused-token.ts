import { Problem } from '../errors/problem.ts';

/** The token of a request, for messages. */
interface SentToken {
  readonly origin: string;
  /** The setting that contains the token, such as `DOCSCTL_TOKEN` or `profile work`; undefined without a token. */
  readonly from: string | undefined;
}

/** Returns the Problem for an answer 401: which token the server rejected, where it is set, and which command creates another. */
export function refusedTokenProblem({ message, requestId }: Problem, { origin, from }: SentToken): Problem {
  if (from === undefined)
    return new Problem('unauthenticated', `${origin} requires a token, but none is set.`, {
      hint: `Run \`docsctl login --server ${origin}\`, or set DOCSCTL_TOKEN. ${creation}`,
      requestId,
    });
  return new Problem('unauthenticated', `${origin} refused the token from ${from}. ${message}`, {
    hint: `${renewal(origin, from)} ${creation}`,
    requestId,
  });
}

const creation = 'An administrator creates tokens with `docsctl tokens create --role ROLE`.';

/** Returns a sentence that says how to replace the token in a setting. */
export function renewal(origin: string, from: string, token = 'another token'): string {
  const [, profile] = /^profile (.+)$/.exec(from) ?? [];
  if (profile !== undefined)
    return `Run \`docsctl login --name ${profile} --server ${origin}\` with ${token}.`;
  if (from === 'standard input') return `Pipe ${token} into the command.`;
  return /^[A-Z_]+$/.test(from) ? `Set ${from} to ${token}.` : `Put ${token} into ${from}.`;
}
