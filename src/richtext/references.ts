import { recordOf } from './nodes.ts';

/** The target of a link or an image in a document. */
export type ContentRef =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'page'; readonly page: string }
  | { readonly kind: 'file'; readonly file: string };

/** Reads the reference of an address in Markdown: `/pages/ID`, `/files/ID` or any other address. */
export function refOf(address: string): ContentRef {
  const [, kind, id] = /^\/(pages|files)\/([\w-]+)$/.exec(address) ?? [];
  if (id === undefined) return { kind: 'url', url: address };
  return kind === 'pages' ? { kind: 'page', page: id } : { kind: 'file', file: id };
}

/** Writes a reference as an address in Markdown. */
export function addressOf(ref: unknown): string {
  const given = recordOf(ref);
  const { kind } = given;
  const word = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  switch (kind) {
    case 'page':
      return `/pages/${word('page')}`;
    case 'file':
      return `/files/${word('file')}`;
    case 'anchor':
      return `${word('page') === '' ? '' : `/pages/${word('page')}`}#${word('anchor')}`;
    case 'reusable-content':
      return word('reusableContent');
    case 'openapi':
      return word('spec');
    default:
      return word('url') || (typeof kind === 'string' ? word(kind) : '');
  }
}
