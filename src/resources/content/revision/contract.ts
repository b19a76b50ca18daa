import { listOf, ok, operation } from '../../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type } from '../../../contract/schema.ts';
import { User } from '../../../contract/shapes.ts';
import { ChangeRequest } from '../../change-requests/contract.ts';
import { revisionBase } from '../base.ts';
import { changesQuery, semanticChangesFields } from '../changes/schemas.ts';
import { getContentOperation, listTextsOperation } from '../declarations.ts';
import { contentFlags } from '../schemas.ts';

const types = ['edits', 'merge', 'rollback', 'update'] as const;

/** A revision without its content, which `revisions.get` returns. */
export const RevisionSummary = closed({
  object: Type.Literal('revision'),
  id: Id,
  parents: Type.Array(Id),
  type: oneOf(types),
  /** The change request that was merged. */
  changeRequest: Type.Optional(Id),
  createdAt: DateTime,
  createdBy: Type.Optional(User),
  pages: Type.Integer({ minimum: 0 }),
  files: Type.Integer({ minimum: 0 }),
});

export const listRevisions = operation({
  id: 'revisions.list',
  route: 'GET /spaces/:spaceId/revisions',
  summary: 'List the revisions of a space, those of its change requests too, the newest first',
  description: 'Not in the official API.',
  access: 'space.read',
  query: {
    type: Type.Optional(
      oneOf(types, {
        description: 'Only those made like this; merge gives the history of what is published',
      }),
    ),
  },
  returns: listOf(RevisionSummary),
  cli: {
    positional: ['spaceId'],
    columns: ['type', 'createdBy.displayName', 'createdAt', 'pages', 'files', 'id'],
    examples: ['docsctl revisions list Guide --type merge'],
  },
});
export const getContent = getContentOperation(revisionBase);
export const listTexts = listTextsOperation(revisionBase);

export const listChanges = operation({
  id: 'revisions.changes',
  route: `GET ${revisionBase.path}/changes`,
  summary: 'Show what a revision changed over the one before it',
  access: 'revision.read',
  query: {
    ...contentFlags,
    ...changesQuery,
  },
  returns: ok(closed({ mergedFrom: Type.Optional(ChangeRequest), ...semanticChangesFields })),
  cli: { examples: ['docsctl revisions changes rev_1 --space Guide --limit 100'] },
});
