import { checkDepth } from '../../../contract/limits.ts';
import type { Static } from '../../../contract/schema.ts';
import { isRecord } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { nameInput } from '../../../files/unreadable-file.ts';
import { getSite, type Site } from '../../../resources/sites/contract.ts';
import { readDocument } from '../../input/files.ts';
import type { Session } from '../../session/session.ts';
import { resolveSite } from './structure.ts';

const hint = 'Write the claims as an object: {"plan": "pro", "unsigned": {"language": "fr"}}.';

/** Describes the claims of a visitor that the site does not know; undefined if it knows all. */
export function describeUnknownClaims({
  id,
  visibility,
  adaptiveContent,
}: Pick<Static<typeof Site>, 'id' | 'visibility' | 'adaptiveContent'>): string | undefined {
  if (adaptiveContent.enabled) return undefined;
  return `Adaptive content is disabled for this site, so ${visibility === 'visitor-auth' ? 'unsigned claims have' : 'claims have'} no effect. Enable it: \`docsctl sites update ${id} --adaptive-content '{"enabled":true}'\``;
}

/** Finds the site that a visitor would open, and its name. Notes claims that the site does not know. */
export async function resolveVisitedSite(
  session: Session,
  site: string | undefined,
  claims: string | undefined,
): Promise<{
  params: Awaited<ReturnType<typeof resolveSite>>;
  /** The name of the site in the command or the settings. */
  name: string;
}> {
  const params = await resolveSite(session, site);
  const note =
    claims === undefined ? undefined : describeUnknownClaims(await session.call(getSite, { params }));
  if (note !== undefined) session.note(note);
  return { params, name: site ?? session.settings.site?.value ?? params.siteId };
}

/** Reads --claims as JSON; undefined without it. @throws Problem(invalid-input) */
export async function readVisitClaims(
  session: Session,
  given: string | undefined,
): Promise<string | undefined> {
  return given === undefined ? undefined : JSON.stringify(await readClaims(session, given));
}

/** Reads --claims: JSON, a file of JSON or YAML, or standard input for "-". @throws Problem(invalid-input) */
export async function readClaims(session: Session, given: string): Promise<Record<string, unknown>> {
  const isText = /^\s*[[{]/.test(given);
  const claims = isText ? parse(given) : await readClaimsFile(session, given);
  const name = isText ? '--claims' : nameInput(given);
  if (!isRecord(claims))
    throw new Problem('invalid-input', `The claims in ${name} must be an object.`, { hint });
  return claims;
}

async function readClaimsFile(session: Session, path: string): Promise<unknown> {
  try {
    return await readDocument(session, path);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw error;
    throw new Problem('invalid-input', `--claims reads a file, but "${path.slice(0, 80)}" does not exist.`, {
      hint: `Check the path, or give the claims themselves, as JSON: '{"plan": "pro"}'.`,
      cause: error,
    });
  }
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
