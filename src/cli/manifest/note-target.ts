import { listSome } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { readStateFile } from '../../manifest/state-file.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { Session } from '../session/session.ts';
import type { Target } from './target.ts';

/**
 * Notes the organization and place of a plan before it is made, and warns if the state file has only other organizations. In data
 * formats, these are fields of the plan.
 */
export async function noteTarget(session: Session, target: Target): Promise<void> {
  const { organization, stateOptions } = target;
  if (session.format !== 'table' && !session.terminal.stderrIsTTY) return;
  const title = await readOrganizationTitle(session, target);
  const shown = title === organization ? organization : `${title} (${organization})`;
  session.note(escapeControls(`Organization ${shown} on ${stateOptions.place}`));
  const others = new Set(readStateFile(stateOptions.path).sections.map((section) => section.organization));
  if (others.size === 0 || others.has(organization)) return;
  session.note(
    escapeControls(
      `warning: the manifest was last applied to organization ${listSome([...others])}, never to ${shown}. Check --org, --server and --store before you apply.`,
    ),
  );
}

/** Returns the title of an organization in quotes; the ID if it cannot be read. */
export async function readOrganizationTitle(
  { runtime }: Session,
  { api, organization }: Target,
): Promise<string> {
  const params = { organizationId: organization };
  const found = await api.call(getOrganization, { params }, { signal: runtime.signal }).catch(ignoreProblem);
  return found === undefined ? organization : JSON.stringify(found.title);
}

/** Returns undefined for a refused call. For example, the token of an integration belongs to no user. */
export function ignoreProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}
