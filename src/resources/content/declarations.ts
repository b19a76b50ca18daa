import { file, listOf, ok, operation } from '../../contract/operation.ts';
import { closed, oneOf, optional, Type } from '../../contract/schema.ts';
import { Backlink, Link, linksQuery, LinkStats } from './links/schemas.ts';
import type { Base } from './base.ts';
import { MetaLinks } from '../../content/setting-fields.ts';
import {
  File,
  fileFlags,
  FolderText,
  Page,
  pagesFlags,
  ReusableContent,
  reusableContentFlags,
  Revision,
} from './schemas.ts';

/** The flags of a query that say which values and reusable contents to insert into texts. */
export const evaluationFlags = optional({
  evaluated: oneOf(['true', 'false', 'deterministic-only'], {
    default: 'false',
    description:
      'true: replace expressions with their values and leave out blocks whose condition is false, as for a visitor without claims; deterministic-only: only if they do not depend on the visitor (default: false)',
  }),
  dereferenced: oneOf(['true', 'false', 'reusable-contents'], {
    default: 'false',
    description:
      'reusable-contents: insert the text of reusable content where it is included; true: also put the titles of pages into mentions and content references (default: false)',
  }),
});
const pageQuery = {
  ...pagesFlags,
  texts: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'also return the text of the pages below this page (default: true)',
    }),
  ),
  format: Type.Optional(
    oneOf(['document', 'markdown'], {
      default: 'markdown',
      description: 'format of the returned text: Markdown, or a document of blocks (default: markdown)',
    }),
  ),
  ...evaluationFlags,
  blocks: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'also let integrations compute what their blocks show, and return the results as documents in the field blocks (default: false)',
    }),
  ),
  'format.markdown.refs': Type.Optional(
    oneOf(['relative', 'stable'], {
      description:
        'write links in Markdown relative to the page, or with IDs that never change (default: as they are written)',
    }),
  ),
};
const pageColumns = ['path', 'title', 'type', 'id'];
const backlinkColumns = ['source.title=title', 'source.path=path', 'line', 'href'];
const backlinksOf = (target: 'page' | 'file') => ({
  description: `Each page or reusable content is listed once, with its first link to the ${target}. The fields source, line and href are not in the official API of GitBook.`,
  returns: listOf(Backlink),
});
const exampleWords = {
  /** The positional arguments in examples. */
  subjects: { space: 'Guide', 'change-request': '7 --space Guide', revision: 'rev_6 --space Guide' },
  /** The flags in examples that also name a page or file. */
  flags: {
    space: '--space Guide',
    'change-request': '--space Guide --change-request 7',
    revision: '--space Guide --revision rev_6',
  },
} as const;
const fileColumns = ['name', 'contentType', 'size', 'id'];

/** Returns the words of the command of an operation: `spaces.content` becomes "spaces content". */
function wordsOf(id: string): string {
  return id.replaceAll('.', ' ');
}

/** Declares the operation that reads a whole content. */
export function getContentOperation<const B extends Base>({ whole, content, scope, name }: B) {
  const subject = exampleWords.subjects[scope];
  return operation({
    id: `${whole}.get`,
    route: `GET ${content as B['content']}`,
    summary: `Show the content of a ${name}: a tree of pages and a list of files`,
    description: 'The table shows only a summary without text. -o json and -o yaml print the whole content.',
    access: `${scope as B['scope']}.read`,
    query: pagesFlags,
    returns: ok(Revision),
    cli: {
      columns: ['type', 'createdAt', 'id'],
      examples: [`docsctl ${wordsOf(whole)} get ${subject} -o json --no-texts`],
    },
  });
}

/** Declares the operation that lists the texts of an imported folder that are not pages. Not in the official API. */
export function listTextsOperation<const B extends Base>({ whole, content, scope, name }: B) {
  const subject = exampleWords.subjects[scope];
  return operation({
    id: `${whole}.texts`,
    route: `GET ${content as B['content']}/texts`,
    summary: `List the settings, includes and other texts of a ${name}`,
    description:
      'Lists the texts that an import reads besides pages: the table of contents, settings, variables and includes. An export writes them back to the folder. This operation is not in the official API of GitBook.',
    access: `${scope as B['scope']}.read`,
    query: {
      texts: Type.Optional(
        Type.Boolean({ default: true, description: 'also return the content of each text (default: true)' }),
      ),
    },
    returns: ok(closed({ texts: Type.Array(FolderText) })),
    cli: {
      columns: ['title', 'git.path', 'role', 'size', 'id'],
      examples: [`docsctl ${wordsOf(whole)} texts ${subject}`],
    },
  });
}

/** Declares the operations that read reusable contents. */
export function reusableContentOperations<const B extends Base>({ words, content, scope, name }: B) {
  const route = `${content as B['content']}/reusable-contents` as const;
  const access = `${scope as B['scope']}.read` as const;
  const columns = ['title', 'git.path=path', 'id'];
  return {
    listReusableContents: operation({
      id: `${words}.reusable-contents.list`,
      route: `GET ${route}`,
      summary: `List the reusable contents of a ${name}`,
      description:
        'Reusable contents are pieces of text that several pages can include. This operation is not in the official API of GitBook.',
      access,
      query: { metadata: reusableContentFlags.metadata },
      returns: listOf(ReusableContent),
      cli: {
        columns,
        examples: [`docsctl ${words} reusable-contents list ${exampleWords.subjects[scope]}`],
      },
    }),
    getReusableContent: operation({
      id: `${words}.reusable-contents.get`,
      route: `GET ${route}/:reusableContentId`,
      summary: `Show the title and file of a reusable content of a ${name}`,
      description:
        'The field `document` contains the ID of its document (the text as blocks), which `docsctl spaces content document` shows.',
      access,
      query: reusableContentFlags,
      returns: ok(ReusableContent),
      cli: {
        columns,
        examples: [`docsctl ${words} reusable-contents get Support ${exampleWords.flags[scope]}`],
      },
    }),
  };
}

/** Declares the operations that read pages. */
export function pageOperations<const B extends Base>({ words, content, scope, name }: B) {
  const subject = exampleWords.subjects[scope];
  const flags = exampleWords.flags[scope];
  const route = content as B['content'];
  const access = `${scope as B['scope']}.read` as const;
  return {
    listPages: operation({
      id: `${words}.pages.list`,
      route: `GET ${route}/pages`,
      summary: `List all pages of a ${name}, including generated ones, with their texts`,
      description: 'The table does not show the text of the pages. -o json and -o yaml print it.',
      access,
      query: pagesFlags,
      returns: ok(closed({ pages: Type.Array(Page) })),
      cli: { columns: pageColumns, examples: [`docsctl ${words} pages list ${subject}`] },
    }),
    getPage: operation({
      id: `${words}.pages.get`,
      route: `GET ${route}/page/:pageId`,
      summary: `Show a page of a ${name} with its text`,
      description: 'Prints the page as data. To read its text, use `docsctl pages show`.',
      access,
      query: pageQuery,
      returns: ok(Page),
      cli: {
        columns: pageColumns,
        examples: [`docsctl ${words} pages get quickstart ${flags} -o json`],
      },
    }),
    getPageByPath: operation({
      id: `${words}.pages.get-by-path`,
      route: `GET ${route}/path/:pagePath`,
      summary: `Show a page of a ${name} by its path`,
      access,
      query: pageQuery,
      returns: ok(Page),
      cli: {
        columns: pageColumns,
        examples: [`docsctl ${words} pages get-by-path quickstart ${flags}`],
      },
    }),
    listPageMetaLinks: operation({
      id: `${words}.pages.meta-links`,
      route: `GET ${route}/page/:pageId/meta-links`,
      summary: `Show the canonical page and the alternates of a page of a ${name}`,
      description:
        'In its front matter, a page can name its original (`metaLinks.canonical`) and its other versions, for example in other languages (`metaLinks.alternates`). The response is empty if the page names none.',
      access,
      returns: ok(MetaLinks),
      cli: {
        columns: ['canonical', 'alternates'],
        examples: [`docsctl ${words} pages meta-links quickstart ${flags} -o json`],
      },
    }),
  };
}

/** Declares the operations that read links of a space or a change request. */
export function linkOperations<const B extends Base>({ words, content, scope, name }: B) {
  const flags = exampleWords.flags[scope];
  const route = content as B['content'];
  const access = `${scope as B['scope']}.read` as const;
  return {
    listPageLinks: operation({
      id: `${words}.pages.links`,
      route: `GET ${route}/page/:pageId/links`,
      summary: `List the links on a page of a ${name} and find the broken ones`,
      access,
      query: linksQuery,
      returns: listOf(Link, { stats: LinkStats }),
      cli: {
        columns: ['status', 'source.path=path', 'line', 'href'],
        examples: [`docsctl ${words} pages links quickstart ${flags} --status broken`],
      },
    }),
    listPageBacklinks: operation({
      id: `${words}.pages.backlinks`,
      route: `GET ${route}/page/:pageId/backlinks`,
      summary: `List the pages of a ${name} that link to a page`,
      access,
      ...backlinksOf('page'),
      cli: {
        columns: backlinkColumns,
        examples: [`docsctl ${words} pages backlinks quickstart ${flags}`],
      },
    }),
    listFileBacklinks: operation({
      id: `${words}.files.backlinks`,
      route: `GET ${route}/files/:fileId/backlinks`,
      summary: `List the pages of a ${name} that link to a file`,
      access,
      ...backlinksOf('file'),
      cli: {
        columns: backlinkColumns,
        examples: [`docsctl ${words} files backlinks logo.png ${flags}`],
      },
    }),
  };
}

/** Declares the operations that read files. */
export function fileOperations<const B extends Base>({ words, content, scope, name }: B) {
  const flags = exampleWords.flags[scope];
  const route = content as B['content'];
  const access = `${scope as B['scope']}.read` as const;
  return {
    listFiles: operation({
      id: `${words}.files.list`,
      route: `GET ${route}/files`,
      summary: `List the files of a ${name}`,
      access,
      query: fileFlags,
      returns: listOf(File),
      cli: {
        columns: fileColumns,
        examples: [`docsctl ${words} files list ${exampleWords.subjects[scope]}`],
      },
    }),
    getFile: operation({
      id: `${words}.files.get`,
      route: `GET ${route}/files/:fileId`,
      summary: `Show the name, type, size and address of a file of a ${name}`,
      access,
      query: fileFlags,
      returns: ok(File),
      cli: { columns: fileColumns, examples: [`docsctl ${words} files get logo.png ${flags}`] },
    }),
    downloadFile: operation({
      id: `${words}.files.download`,
      route: `GET ${route}/files/:fileId/download`,
      summary: `Download a file of a ${name}`,
      access,
      returns: file(),
      cli: {
        examples: [`docsctl ${words} files download logo.png ${flags} -O logo.png`],
      },
    }),
  };
}
