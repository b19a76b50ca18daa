import { created, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, Type, Url } from '../../contract/schema.ts';

/** A link that opens a preview of a site on its server, once. */
export const PreviewLink = closed({
  object: Type.Literal('preview-link'),
  url: { ...Url, description: 'the link, which works once' },
  address: { ...Url, description: 'the address of the preview, for browsers that the link has let in' },
  expiresAt: DateTime,
});

export const nounHelp: NounHelp = {
  description: `
A preview link shows a site as readers will see it once a change request is merged, or as it was in a revision. The link opens on the server that shows the site. The site need not be published. To preview a site on this machine, use \`docsctl sites preview\`.
`,
  examples: ['docsctl sites preview-links create Docs --space Guide --change-request 7 --dry-run'],
};

export const createPreviewLink = operation({
  id: 'sites.preview-links.create',
  route: 'POST /orgs/:organizationId/sites/:siteId/preview-links',
  summary: 'Create a link that shows a change request or revision on a site in a browser',
  description:
    'The link works once, within 2 minutes. It opens the preview in one browser for at most 8 hours. The preview shows only what the token that created the link can read. Other browsers get 404 at the address of the preview. In the preview, the space has the content of the change request or revision, and all other spaces have their current content. Give either `changeRequest` or `revision`. Run the command with a token against a server that shows sites: start one with `docsctl serve --sites-port 8081`. This operation is not in the official API of GitBook.',
  access: 'site.read',
  secret: true,
  body: closed({
    space: Type.String({
      ...Id,
      description: 'space of the site that the change request or revision belongs to',
    }),
    changeRequest: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'number or ID of the change request' }),
    ),
    revision: Type.Optional(Type.String({ ...Id, description: 'ID of the revision to show' })),
  }),
  returns: created(PreviewLink),
  cli: {
    columns: ['url', 'expiresAt'],
    examples: ['docsctl sites preview-links create Docs --space Guide --change-request 7 --dry-run'],
  },
});
