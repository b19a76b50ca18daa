import { listOf, ok, operation } from '../../contract/operation.ts';
import { closed, Id, oneOf, Type } from '../../contract/schema.ts';
import { ContentLocation, Link, LinkStats } from '../spaces/contract.ts';
import type { Base } from './base.ts';
import { contentFlags, File, Page, pagesFlags, Revision } from './schemas.ts';

const either = Type.Optional(Type.String({ maxLength: 20, description: 'Accepted for the API; this version has nothing to evaluate' }));
const pageQuery = {
  ...pagesFlags,
  format: Type.Optional(oneOf(['document', 'markdown'], { default: 'markdown', description: 'How to give the text' })),
  evaluated: either,
  dereferenced: either,
};
const pageColumns = ['id', 'title', 'path', 'type', 'updatedAt'];
const fileColumns = ['id', 'name', 'contentType', 'size'];

/** Reading a whole revision, of a space or of a change request. */
export function getContentOperation<const B extends Base>({ words, path, scope }: B) {
  return operation({
    id: `${words}.content.get`,
    route: `GET ${path as B['path']}/content`,
    summary: `Show the whole content of a ${nameOf(scope)}: its pages as a tree, and its files`,
    access: `${scope as B['scope']}.read`,
    query: pagesFlags,
    returns: ok(Revision),
    cli: { columns: ['id', 'type', 'createdAt'] },
  });
}

/** Reading pages, of a space or of a change request. */
export function pageOperations<const B extends Base>({ words, path, scope }: B) {
  const name = nameOf(scope);
  const route = path as B['path'];
  const access = `${scope as B['scope']}.read` as const;
  const query = { status: Type.Optional(oneOf(['ok', 'broken', 'in-app'])) };
  return {
    listPages: operation({
      id: `${words}.pages.list`,
      route: `GET ${route}/content/pages`,
      summary: `List the pages of a ${name} as a tree`,
      access,
      query: pagesFlags,
      returns: ok(closed({ pages: Type.Array(Page) })),
      cli: { columns: pageColumns },
    }),
    getPage: operation({
      id: `${words}.pages.get`,
      route: `GET ${route}/content/page/:pageId`,
      summary: `Show a page of a ${name} with its text`,
      access,
      query: pageQuery,
      returns: ok(Page),
      cli: { columns: pageColumns },
    }),
    getPageByPath: operation({
      id: `${words}.pages.get-by-path`,
      route: `GET ${route}/content/path/:pagePath`,
      summary: `Show the page at a path of a ${name}, such as guides/start`,
      access,
      query: pageQuery,
      returns: ok(Page),
      cli: { columns: pageColumns },
    }),
    listPageLinks: operation({
      id: `${words}.pages.links`,
      route: `GET ${route}/content/page/:pageId/links`,
      summary: `List the links on a page of a ${name}, and which are broken`,
      access,
      query,
      returns: listOf(Link, { stats: LinkStats }),
      cli: { columns: ['status', 'relation', 'targetReference.kind'] },
    }),
    listPageBacklinks: operation({
      id: `${words}.pages.backlinks`,
      route: `GET ${route}/content/page/:pageId/backlinks`,
      summary: `List where a page of a ${name} is linked from`,
      access,
      returns: listOf(ContentLocation),
      cli: { columns: ['kind', 'space', 'page'] },
    }),
  };
}

/** Reading files, of a space or of a change request. */
export function fileOperations<const B extends Base>({ words, path, scope }: B) {
  const name = nameOf(scope);
  const route = path as B['path'];
  const access = `${scope as B['scope']}.read` as const;
  return {
    listFiles: operation({
      id: `${words}.files.list`,
      route: `GET ${route}/content/files`,
      summary: `List the files of a ${name}`,
      access,
      query: contentFlags,
      returns: listOf(File),
      cli: { columns: fileColumns },
    }),
    getFile: operation({
      id: `${words}.files.get`,
      route: `GET ${route}/content/files/:fileId`,
      summary: `Show what is known of a file of a ${name}`,
      access,
      query: contentFlags,
      returns: ok(File),
      cli: { columns: fileColumns },
    }),
    downloadFile: operation({
      id: `${words}.files.download`,
      route: `GET ${route}/content/files/:fileId/download`,
      summary: `Give the bytes of a file of a ${name}, as base64`,
      access,
      returns: ok(
        closed({ object: Type.Literal('file-content'), id: Id, name: Type.String(), contentType: Type.String(), size: Type.Integer({ minimum: 0 }), base64: Type.String() }),
      ),
      cli: { columns: fileColumns },
    }),
    listFileBacklinks: operation({
      id: `${words}.files.backlinks`,
      route: `GET ${route}/content/files/:fileId/backlinks`,
      summary: `List where a file of a ${name} is linked from`,
      access,
      returns: listOf(ContentLocation),
      cli: { columns: ['kind', 'space', 'page'] },
    }),
  };
}

function nameOf(scope: Base['scope']): string {
  return scope === 'space' ? 'space' : 'change request';
}
