import { listAll } from '../../../contract/each-page.ts';
import { Problem } from '../../../errors/problem.ts';
import { getSpace, listSpaces } from '../../../resources/spaces/contract.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { readArguments } from '../../input/files.ts';
import { allSpacesAndOne } from '../../input/given-twice.ts';
import { resolveName, resolveOrganization } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';

export interface LinkSpace {
  readonly id: string;
  /** Set only if several spaces are listed. */
  readonly title?: string;
}

export interface SpaceOptions {
  readonly space?: string;
  readonly allSpaces?: boolean;
  readonly page?: string;
  readonly changeRequest?: string;
}

/**
 * Finds the spaces in arguments and options, without duplicates (default: the default space, or the user's choice at the
 * terminal).
 * @throws Problem(usage) if an option allows only one space
 */
export async function findLinkSpaces(
  session: Session,
  words: readonly string[],
  { space, allSpaces = false, ...onlyOne }: SpaceOptions,
): Promise<LinkSpace[]> {
  const given = [...(await readArguments(session, words)), ...(space === undefined ? [] : [space])];
  if (allSpaces && given.length > 0) throw allSpacesAndOne();
  const flag = onlyOne.page !== undefined ? '--page' : '--change-request';
  if ((allSpaces || given.length > 1) && (onlyOne.page ?? onlyOne.changeRequest) !== undefined)
    throw new Problem('usage', `${flag} works only with one space.`, {
      hint: `Give the space that it belongs to, for example \`docsctl spaces links Guide ${flag} ${onlyOne.page ?? onlyOne.changeRequest ?? ''}\`.`,
    });
  if (allSpaces) return listAllSpaces(session);
  const [only] = given;
  if (given.length <= 1)
    return [
      {
        id: await requireParam(session, ['spaceId', only], {
          hint: 'Give it as an argument: `docsctl spaces links SPACE`.',
        }),
      },
    ];
  const ids = new Set<string>();
  for (const word of given) ids.add(await resolveName(session, 'spaceId', word));
  const spaces: LinkSpace[] = [];
  for (const id of ids) {
    const { title } = await session.call(getSpace, { params: { spaceId: id } });
    spaces.push({ id, title });
  }
  return spaces;
}

/** Lists the spaces of the organization that the caller may read, by title. */
async function listAllSpaces(session: Session): Promise<LinkSpace[]> {
  const organizationId = await resolveOrganization(session);
  const spaces = await listAll(session, listSpaces, { params: { organizationId } });
  return spaces
    .map(({ id, title }) => ({ id, title }))
    .sort((one, other) => one.title.localeCompare(other.title, 'en', { numeric: true }));
}
