import { checkDepth } from '../../../contract/limits.ts';
import { isRecord } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { nameInput } from '../../../files/unreadable-file.ts';
import { readDocument } from '../../files.ts';
import type { Session } from '../../session.ts';

const hint = 'Write the claims as an object: {"plan": "pro", "unsigned": {"language": "fr"}}.';

/** Noted for a site that does not know the claims of its visitors yet. */
export const adaptiveContentOff =
  'Adaptive content is disabled for this site, so the site knows no claims except those of visitors who sign in. This shows what visitors would see if it were enabled.';

/** Reads --claims: a file of JSON or YAML, standard input for "-", or JSON. @throws Problem(invalid-input) */
export async function readClaims(session: Session, given: string): Promise<Record<string, unknown>> {
  const isText = given.trimStart().startsWith('{');
  const claims = isText ? parse(given) : await readDocument(session, given);
  const name = isText ? '--claims' : nameInput(given);
  if (!isRecord(claims))
    throw new Problem('invalid-input', `The claims in ${name} must be an object.`, { hint });
  return claims;
}

function parse(text: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw new Problem('invalid-input', `The claims are not valid JSON: ${message}.`, { hint });
  }
}
