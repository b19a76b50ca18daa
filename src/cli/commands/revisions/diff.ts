import { openContent } from '../../../content-sync/space-content.ts';
import { defined } from '../../../contract/values.ts';
import { countHunks } from '../../../richtext/diff-hunks.ts';
import { requireParam } from '../../names/choose-missing.ts';
import {
  requiredArgument,
  requiredOption,
  type CommandHelp,
  type DefineCommand,
} from '../../composite-command.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import {
  addDiffOptions,
  printDifferences,
  readDifferences,
  type DiffOptions,
} from '../change-requests/content-diff.ts';
import { patchPart, type DiffPart } from '../change-requests/draw-diff.ts';

interface Options extends DiffOptions {
  readonly space?: string;
}

export const help: CommandHelp = {
  description: `
Compares the pages, files and other text, such as includes, of two revisions line by line. With one revision, the command compares it with the current content of the space. In a pipe, the output is a patch for \`git apply\`.

With -o json, the output lists the pages, files and other text that differ, with the number of added and removed lines. With --patch, each of them also has its patch.

\`docsctl revisions list\` shows the IDs of revisions, and \`docsctl revisions restore\` puts the content of a revision back.
`,
  examples: [
    'docsctl revisions diff rev_1 --space Guide',
    'docsctl revisions diff rev_1 rev_6 --space Guide --stat',
    'docsctl revisions diff rev_1 rev_6 --space Guide --page quickstart > quickstart.patch',
    'docsctl revisions diff rev_1 --space Guide --patch -o json --query changes',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addDiffOptions(
    command
      .addArgument(
        requiredArgument('[revision]', 'ID of the earlier revision, from `docsctl revisions list`'),
      )
      .argument('[other]', 'ID of the later revision (default: the current content of the space)')
      .addOption(requiredOption('--space <space>', 'title or ID of the space')),
  ).action(inSession(compareRevisions));
};

const hint = 'Give it, for example `docsctl revisions diff REVISION --space Guide`.';

async function compareRevisions(
  session: Session,
  given: string | undefined,
  other: string | undefined,
  options: Options,
): Promise<void> {
  const spaceId = await requireParam(session, ['spaceId', options.space], { hint });
  const revisionOf = (word: string | undefined) =>
    requireParam(session, ['revisionId', word], { params: { spaceId }, operationId: 'revisions.get', hint });
  const from = await revisionOf(given);
  const to = other === undefined ? undefined : await revisionOf(other);
  const api = await session.api();
  const { signal } = session.runtime;
  const contents = {
    before: await openContent(api, { spaceId, revisionId: from }, signal),
    after: await openContent(api, { spaceId, ...defined({ revisionId: to }) }, signal),
    neither: to === undefined ? 'Neither the revision nor the space' : 'Neither of the two revisions',
  };
  if (!wantsTable(session)) {
    const changes = [];
    for await (const part of readDifferences(session, contents, options))
      changes.push(describePart(part, options.patch === true));
    return session.print({ from, to: to ?? null, changes });
  }
  const count = await printDifferences(session, contents, options);
  if (count !== 0) return;
  const sides = to === undefined ? `The revision ${from} and the space` : `The revisions ${from} and ${to}`;
  session.note(
    options.page === undefined
      ? `${sides} have the same content.`
      : `${sides} have the same page ${options.page}.`,
  );
}

function describePart(part: DiffPart, withPatch: boolean): object {
  const { path, before, after, title, fields, hunks = [] } = part;
  return {
    change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    path,
    before: before ?? null,
    after: after ?? null,
    title,
    fields: fields.map(([name, old, now]) => ({ name, before: old, after: now })),
    ...countHunks(hunks),
    ...(withPatch && { patch: patchPart(part) }),
  };
}
