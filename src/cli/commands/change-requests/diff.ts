import { openContent } from '../../../content-sync/space-content.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import { getChangeRequest, listChanges } from '../../../resources/change-requests/contract.ts';
import { defined } from '../../../contract/values.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { drawImpact, impactData, readLinkImpact, type LinkImpact } from '../../results/link-impact.ts';
import { withStep } from '../../output/progress.ts';
import { createStyler } from '../../output/style.ts';
import { wantsDocument, wantsTable, type Session } from '../../session/session.ts';
import { addDiffOptions, printDifferences, type DiffOptions } from './content-diff.ts';
import { addChangeRequestArgument, requireChangeRequest, type NamedChangeRequest } from './named.ts';

/** The maximum number of changes that the API returns. It counts the others. */
const maxChanges = 1000;

export const help: CommandHelp = {
  description: `
Compares the change request with the revision of the space that it was created from or last synced with. In a pipe, the
output is a patch for \`git apply\`. With -o json, the output has the fields changes, brokenLinks, redirects and
brokenRedirects.

Below the diff, the output lists the links and anchors that the merge would break, with their page, line and reason.
This includes links from other spaces. \`docsctl change-requests merge --require-links\` refuses such a merge. Next,
the output lists the redirects that would lead nowhere, and last the redirects that old paths of published
sites would need.
\`docsctl change-requests merge --redirects\` creates the redirects that are needed.
`,
  examples: [
    'docsctl change-requests diff 7 --space Guide',
    'docsctl change-requests diff 7 --space Guide --stat',
    'docsctl cr diff 7 --space Guide > changes.patch',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addDiffOptions(addChangeRequestArgument(command)).action(inSession(showDiff));
};

async function showDiff(
  session: Session,
  changeRequest: string | undefined,
  options: DiffOptions & NamedChangeRequest,
): Promise<void> {
  const named = { ...options, ...defined({ changeRequest }) };
  const example = 'docsctl change-requests diff 7 --space Guide';
  const params = await requireChangeRequest(session, named, example);
  const { spaceId } = params;
  if (!wantsTable(session)) {
    const [changes, links] = [
      await session.call(listChanges, { params, query: { limit: maxChanges } }),
      wantsDocument(session) ? await findImpact(session, params) : undefined,
    ];
    return session.print({
      ...changes,
      ...(links === undefined ? {} : impactData(links)),
    });
  }
  const { id, number, ...request } = await session.call(getChangeRequest, { params });
  const api = await session.api();
  const { signal } = session.runtime;
  const revisionId = request.revisionMergedAncestor ?? request.revisionInitial;
  const contents = {
    before: await openContent(api, { spaceId, revisionId }, signal),
    after: await openContent(api, { spaceId, changeRequestId: id }, signal),
    neither: 'Neither the change request nor the content that it was created from',
  };
  const count = await printDifferences(session, contents, options);
  if (count === undefined) return;
  if (count === 0)
    return session.note(
      `Change request ${number} changes nothing${options.page === undefined ? '' : ' on this page'}.`,
    );
  const { isInteractive, terminal } = session;
  const style = await createStyler(terminal.color && isInteractive);
  const links =
    options.page === undefined
      ? await withStep(session, 'Looking for links that the merge would break', () =>
          findImpact(session, params),
        )
      : undefined;
  const drawn = links === undefined ? '' : drawImpact(links, isInteractive ? style : (text) => text);
  if (drawn === '') return;
  // In a pipe, only the patch is printed.
  if (isInteractive && options.patch !== true) await session.paged.write(`\n${drawn}`);
  else await terminal.stderr.write(drawn);
}

/** Finds the links that merging the change request would break; undefined if they cannot be checked. */
async function findImpact(
  session: Session,
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId: string },
): Promise<LinkImpact | undefined> {
  const { organization } = await session.call(getSpace, { params: { spaceId } });
  const { id: changeRequest } = await session.call(getChangeRequest, {
    params: { spaceId, changeRequestId },
  });
  const planned = { spaces: [{ space: spaceId, changeRequest }] };
  return readLinkImpact(await session.api(), organization, planned, session.runtime.signal);
}
