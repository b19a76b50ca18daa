import { checkDepth } from '../../../contract/limits.ts';
import { nameInput } from '../../../files/unreadable-file.ts';
import { Problem } from '../../../errors/problem.ts';
import { readDocument } from '../../files.ts';
import type { Session } from '../../session.ts';
import { isRecord } from '../../../contract/values.ts';

const hint = 'Give an object such as {"plan": "pro", "unsigned": {"language": "fr"}}.';

/** Said of a site whose conditions are judged though they do not count yet. */
export const adaptiveContentOff =
  'Adaptive content is turned off for this site; this is what visitors would see with it.';

/** The claims of a visitor: a file of JSON or YAML, standard input for "-", or JSON as it is. */
export async function readClaims(session: Session, given: string): Promise<Record<string, unknown>> {
  const isText = given.trimStart().startsWith('{');
  const claims = isText ? parse(given) : await readDocument(session, given);
  if (!isRecord(claims))
    throw new Problem(
      'invalid-input',
      `The claims in ${isText ? '--claims' : nameInput(given)} are not an object.`,
      { hint },
    );
  return claims;
}

function parse(text: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem('invalid-input', `The claims are not valid JSON: ${(error as Error).message}.`, {
      hint,
    });
  }
}
