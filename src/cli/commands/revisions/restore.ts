import { compareParts, listParts } from '../../../content-sync/compare-content.ts';
import { openContent } from '../../../content-sync/space-content.ts';
import { defined, listSome, plural } from '../../../contract/values.ts';
import { restoreContent } from '../../../resources/content/change-request/contract.ts';
import { getContent } from '../../../resources/content/revision/contract.ts';
import { displayText } from '../../output/cell.ts';
import {
  requiredArgument,
  requiredOption,
  type CommandHelp,
  type DefineCommand,
} from '../../composite-command.ts';
import { requireParam } from '../../names/choose-missing.ts';
import type { Session } from '../../session/session.ts';
import {
  addChangeRequestOptions,
  checkChangeRequestOptions,
  editContent,
  type ChangeRequestOptions,
} from '../change-requests/open.ts';

interface Options extends ChangeRequestOptions {
  readonly space?: string;
}

export const help: CommandHelp = {
  description: `
Puts the pages, files and other text of an earlier revision, byte for byte, into a new change request, or into the one given with
--change-request. The space itself changes only with --merge. No revision is lost: a restore can be undone by
another restore.

--dry-run lists the pages and files that would change.
`,
  examples: [
    'docsctl revisions restore rev_6 --space Guide --dry-run',
    'docsctl revisions restore rev_1 --space Guide --merge',
    'docsctl revisions restore rev_6 --space Guide --subject "Undo the last merge"',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addChangeRequestOptions(command)
    .addArgument(requiredArgument('[revision]', 'ID of the revision, from `docsctl revisions list`'))
    .addOption(requiredOption('--space <space>', 'title or ID of the space'))
    .action(inSession(restoreRevision));
};

const example = 'Give it, for example `docsctl revisions restore REVISION --space Guide`.';

async function restoreRevision(session: Session, given: string | undefined, options: Options): Promise<void> {
  checkChangeRequestOptions(options);
  const { flags, note } = session;
  const { changeRequest } = options;
  const spaceId = await requireParam(session, ['spaceId', options.space], { hint: example });
  const space = options.space ?? session.settings.space?.value ?? spaceId;
  const revision = await requireParam(session, ['revisionId', given], {
    params: { spaceId },
    operationId: 'revisions.get',
    hint: example,
  });
  const names = await listDifferences(
    session,
    { spaceId, ...defined({ changeRequestId: changeRequest }) },
    revision,
  );
  const differences = `${plural(names.length, 'page or file', 'pages and files')}${names.length > 0 ? `: ${listSome(names)}` : ''}`;
  if (flags.dryRun === true) {
    const { printRequests } = await import('../../results/print-results.ts');
    const params = { spaceId, changeRequestId: changeRequest ?? 'NEW' };
    await printRequests(session, restoreContent, [params], { body: { revision } });
    return note(`Would change ${differences}.`);
  }
  const { createdAt } = await session.call(getContent, { params: { spaceId, revisionId: revision } });
  await editContent(session, options, {
    spaceId,
    space,
    title: `Restore the revision of ${displayText(createdAt)}`,
    unchanged: 'Nothing changed: the space already has the content of the revision.',
    send: ({ params }) => session.call(restoreContent, { params, body: { revision } }),
    print: async ({ number, id, merged }) => {
      await session.print({ number, id, revision, merged, changed: names.length });
      note(`Changed ${differences}.`);
    },
  });
}

/** Returns the names of the pages, files and texts that differ between a revision and the content that it would replace. */
async function listDifferences(
  session: Session,
  place: { spaceId: string; changeRequestId?: string },
  revisionId: string,
): Promise<string[]> {
  const api = await session.api();
  const { signal } = session.runtime;
  const parts = [];
  for (const content of [place, { spaceId: place.spaceId, revisionId }])
    parts.push(await listParts(await openContent(api, content, signal)));
  const [before = [], after = []] = parts;
  return compareParts(before, after).map(({ part }) => part.path);
}
