/** What a link or an image of a document points to. */
export type ContentRef =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'page'; readonly page: string }
  | { readonly kind: 'file'; readonly file: string };

/** The reference that an address in Markdown stands for: `/pages/ID`, `/files/ID` or any other address. */
export function refOf(address: string): ContentRef {
  const [, kind, id] = /^\/(pages|files)\/([\w-]+)$/.exec(address) ?? [];
  if (id === undefined) return { kind: 'url', url: address };
  return kind === 'pages' ? { kind: 'page', page: id } : { kind: 'file', file: id };
}

/** The address that stands for a reference in Markdown. */
export function addressOf(ref: unknown): string {
  const given = (typeof ref === 'object' && ref !== null ? ref : {}) as Record<string, unknown>;
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
