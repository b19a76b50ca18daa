import { file, listOf, ok, operation } from '../../contract/operation.ts';
import { closed, oneOf, Type } from '../../contract/schema.ts';
import { Backlink, Link, LinkStats } from '../spaces/contract.ts';
import type { Base } from './base.ts';
import { contentFlags, File, FolderText, Page, pagesFlags, Revision } from './schemas.ts';

const pageQuery = {
  ...pagesFlags,
  format: Type.Optional(
    oneOf(['document', 'markdown'], { default: 'markdown', description: 'How to give the text' }),
  ),
  evaluated: Type.Optional(
    oneOf(['true', 'false', 'deterministic-only'], {
      default: 'false',
      description: 'Put the values of variables in their place',
    }),
  ),
  dereferenced: Type.Optional(
    oneOf(['true', 'false', 'reusable-contents'], {
      default: 'false',
      description: 'Put the text of reusable contents where they are included',
    }),
  ),
};
const pageColumns = ['path', 'title', 'type', 'id'];
const backlinkColumns = ['source.title=title', 'source.path=path', 'line', 'href'];
const backlinks = {
  description:
    'Each page once, with the first of its links; source, line and href are not in the official API.',
  returns: listOf(Backlink),
};
/** The options that name the content in an example, beside its space. */
const exampleOptions = {
  space: '',
  'change-request': ' --change-request 7',
  revision: ' --revision rev_1',
} as const;
const fileColumns = ['name', 'contentType', 'size', 'id'];

/** Declares the read of a whole content. */
export function getContentOperation<const B extends Base>({ whole, content, scope, name }: B) {
  return operation({
    id: `${whole}.get`,
    route: `GET ${content as B['content']}`,
    summary: `Show the whole content of a ${name}: its pages as a tree, and its files`,
    access: `${scope as B['scope']}.read`,
    query: pagesFlags,
    returns: ok(Revision),
    cli: { columns: ['type', 'createdAt', 'id'] },
  });
}

/** Declares the list of texts of an imported folder that are not pages. Not in the official API. */
export function listTextsOperation<const B extends Base>({ whole, content, scope, name }: B) {
  return operation({
    id: `${whole}.texts`,
    route: `GET ${content as B['content']}/texts`,
    summary: `List the texts of a ${name} that are no pages: table of contents, settings, variables and includes`,
    description: 'They are kept for an export to a folder. Not in the official API.',
    access: `${scope as B['scope']}.read`,
    query: { texts: Type.Optional(Type.Boolean({ default: true, description: 'Also what they say' })) },
    returns: ok(closed({ texts: Type.Array(FolderText) })),
    cli: { columns: ['title', 'git.path', 'role', 'size', 'id'] },
  });
}

/** Declares the reads of pages. */
export function pageOperations<const B extends Base>({ words, content, scope, name }: B) {
  const route = content as B['content'];
  const access = `${scope as B['scope']}.read` as const;
  return {
    listPages: operation({
      id: `${words}.pages.list`,
      route: `GET ${route}/pages`,
      summary: `List the pages of a ${name} as a tree`,
      access,
      query: pagesFlags,
      returns: ok(closed({ pages: Type.Array(Page) })),
      cli: { columns: pageColumns },
    }),
    getPage: operation({
      id: `${words}.pages.get`,
      route: `GET ${route}/page/:pageId`,
      summary: `Show a page of a ${name} with its text`,
      access,
      query: pageQuery,
      returns: ok(Page),
      cli: { columns: pageColumns },
    }),
    getPageByPath: operation({
      id: `${words}.pages.get-by-path`,
      route: `GET ${route}/path/:pagePath`,
      summary: `Show the page at a path of a ${name}, such as guides/start`,
      access,
      query: pageQuery,
      returns: ok(Page),
      cli: { columns: pageColumns },
    }),
  };
}

/** Declares the reads of links, for a space or a change request. */
export function linkOperations<const B extends Base>({ words, content, scope, name }: B) {
  const route = content as B['content'];
  const access = `${scope as B['scope']}.read` as const;
  const query = { status: Type.Optional(oneOf(['ok', 'broken', 'in-app'])) };
  return {
    listPageLinks: operation({
      id: `${words}.pages.links`,
      route: `GET ${route}/page/:pageId/links`,
      summary: `List the links on a page of a ${name}, and which are broken`,
      access,
      query,
      returns: listOf(Link, { stats: LinkStats }),
      cli: {
        columns: ['status', 'source.path=path', 'line', 'href'],
        examples: [
          `docsctl ${words} pages links guides/start --space Guide${exampleOptions[scope]} --status broken`,
        ],
      },
    }),
    listPageBacklinks: operation({
      id: `${words}.pages.backlinks`,
      route: `GET ${route}/page/:pageId/backlinks`,
      summary: `List where a page of a ${name} is linked from`,
      access,
      ...backlinks,
      cli: {
        columns: backlinkColumns,
        examples: [`docsctl ${words} pages backlinks guides/start --space Guide${exampleOptions[scope]}`],
      },
    }),
    listFileBacklinks: operation({
      id: `${words}.files.backlinks`,
      route: `GET ${route}/files/:fileId/backlinks`,
      summary: `List where a file of a ${name} is linked from`,
      access,
      ...backlinks,
      cli: {
        columns: backlinkColumns,
        examples: [`docsctl ${words} files backlinks logo.png --space Guide${exampleOptions[scope]}`],
      },
    }),
  };
}

/** Declares the reads of files. */
export function fileOperations<const B extends Base>({ words, content, scope, name }: B) {
  const route = content as B['content'];
  const access = `${scope as B['scope']}.read` as const;
  return {
    listFiles: operation({
      id: `${words}.files.list`,
      route: `GET ${route}/files`,
      summary: `List the files of a ${name}`,
      access,
      query: contentFlags,
      returns: listOf(File),
      cli: { columns: fileColumns },
    }),
    getFile: operation({
      id: `${words}.files.get`,
      route: `GET ${route}/files/:fileId`,
      summary: `Show what is known of a file of a ${name}`,
      access,
      query: contentFlags,
      returns: ok(File),
      cli: { columns: fileColumns },
    }),
    downloadFile: operation({
      id: `${words}.files.download`,
      route: `GET ${route}/files/:fileId/download`,
      summary: `Download a file of a ${name}`,
      access,
      returns: file(),
      cli: {
        examples: [
          `docsctl ${words} files download file_1 --space Guide${exampleOptions[scope]} -O logo.png`,
        ],
      },
    }),
  };
}
