import { listOf, ok, operation, type NounHelp } from '../../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type } from '../../../contract/schema.ts';
import { User } from '../../../contract/shapes.ts';
import { ChangeRequest } from '../../change-requests/contract.ts';
import { revisionBase } from '../base.ts';
import { changesQuery, semanticChangesFields } from '../changes/schemas.ts';
import { getContentOperation, listTextsOperation } from '../declarations.ts';
import { changesFlags } from '../schemas.ts';

export const nounHelp: NounHelp = {
  description:
    'A revision is the content of a space or of a change request at one point in time. Every edit and every merge adds a revision, and revisions never change. `docsctl revisions diff` compares two of them, and `docsctl revisions restore` restores the content of an earlier revision.',
  examples: ['docsctl revisions list Guide --type merge', 'docsctl revisions diff rev_1 rev_6 --space Guide'],
};

const types = ['edits', 'merge', 'rollback', 'update'] as const;

/** A revision without its content, which `revisions.get` returns. */
export const RevisionSummary = closed({
  object: Type.Literal('revision'),
  id: Id,
  parents: Type.Array(Id),
  type: oneOf(types),
  changeRequest: Type.Optional(Id),
  createdAt: DateTime,
  createdBy: Type.Optional(User),
  pages: Type.Integer({ minimum: 0 }),
  files: Type.Integer({ minimum: 0 }),
});

export const listRevisions = operation({
  id: 'revisions.list',
  route: 'GET /spaces/:spaceId/revisions',
  summary: 'List the revisions of a space and of its change requests, newest first',
  description:
    'The type says what added the revision: `update` for a synchronization of a change request with its space; `rollback` for a restore; `merge` for a merge into the space; `edits` for anything else, such as an edit of a change request. This operation is not in the official API of GitBook.',
  access: 'space.read',
  query: {
    type: Type.Optional(
      oneOf(types, {
        description: 'only revisions of this type',
      }),
    ),
  },
  returns: listOf(RevisionSummary),
  cli: {
    positional: ['spaceId'],
    columns: ['type', 'createdBy.displayName', 'createdAt', 'pages', 'files', 'changeRequest', 'id'],
    examples: ['docsctl revisions list Guide', 'docsctl revisions list Guide --type merge --limit 1 -o id'],
  },
});
export const getContent = getContentOperation(revisionBase);
export const listTexts = listTextsOperation(revisionBase);

export const listChanges = operation({
  id: 'revisions.changes',
  route: `GET ${revisionBase.path}/changes`,
  summary: 'List what a revision changed compared with the one before it',
  access: 'revision.read',
  query: {
    ...changesFlags,
    ...changesQuery,
  },
  returns: ok(closed({ mergedFrom: Type.Optional(ChangeRequest), ...semanticChangesFields })),
  cli: { examples: ['docsctl revisions changes rev_6 --space Guide --limit 100'] },
});
