import { changeRequestOf } from '../../core/authorize.ts';
import type { Handler } from '../../core/handler.ts';
import { revisions } from '../../core/rows/revisions.ts';
import { siteSpaces } from '../../core/rows/site-spaces.ts';
import { spaces } from '../../core/rows/spaces.ts';
import { collectRows, getExisting, getOwned } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { isVisibleSpace } from '../site-structure/visible-space.ts';
import { segmentOf } from '../site-structure/paths.ts';
import { createLink, tokenOfLink } from '../users/app-sessions.ts';
import type * as contract from './contract.ts';

export const createPreviewLink: Handler<typeof contract.createPreviewLink> = async (context, { body }) => {
  const { tx, site, organization, caller, url } = context;
  const token = tokenOfLink(caller);
  if ((body.changeRequest === undefined) === (body.revision === undefined))
    throw new Problem('usage', 'Exactly one of changeRequest and revision is needed.', {
      hint: 'Give either `--change-request NUMBER` or `--revision ID`.',
    });
  const rows = await collectRows(tx, siteSpaces, 'bySite', [site.id]);
  const row = rows.find(({ space }) => space === body.space);
  if (row === undefined || !(await isVisibleSpace(context, row)))
    throw new Problem('not-found', `The site shows no space "${body.space}" that you can see.`, {
      hint: `To see the spaces of the site, run \`docsctl sites site-spaces list ${site.id}\`.`,
    });
  const space = await getExisting(tx, spaces, row.space);
  const name = `/sites/${segmentOf(organization.hostname)}/${segmentOf(site.basename ?? site.id)}`;
  if (context.hidesSites === true)
    throw new Problem('conflict', 'This server does not show sites.', {
      hint: 'Start it with `docsctl serve --sites-port 8081`, or preview on this machine with `docsctl sites preview`.',
    });
  let shown: string;
  if (body.changeRequest === undefined) {
    const revision = await getOwned(tx, revisions, body.revision ?? '', { space: space.id }, 'revision');
    shown = `revisions/${segmentOf(revision.id)}`;
  } else shown = `changes/${segmentOf((await changeRequestOf(tx, space, body.changeRequest)).id)}`;
  const path = `${name}/~/${shown}/`;
  const { code, expiresAt } = await createLink(context, { token, path, isPreview: true });
  return {
    object: 'preview-link',
    url: url(`/sites/~session?code=${code}`),
    address: url(path),
    expiresAt,
  };
};
