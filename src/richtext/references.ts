import { spaceAddress } from '../contract/open-address.ts';
import { recordOf } from '../contract/values.ts';

/** The target of a link or an image in a document. */
type ContentRef =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'page'; readonly page: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'openapi'; readonly spec: string }
  | { readonly kind: 'tag'; readonly tag: string };

/** Parses an address in Markdown to a reference: `/pages/ID`, `/files/ID`, `openapi:SLUG`, `tag:SLUG` or any other address. */
export function refOf(address: string): ContentRef {
  const [, scheme, slug] = /^(openapi|tag):([\w-]+)$/.exec(address) ?? [];
  if (slug !== undefined)
    return scheme === 'tag' ? { kind: 'tag', tag: slug } : { kind: 'openapi', spec: slug };
  const [, kind, id] = /^\/(pages|files)\/([\w-]+)$/.exec(address) ?? [];
  if (id === undefined) return { kind: 'url', url: address };
  return kind === 'pages' ? { kind: 'page', page: id } : { kind: 'file', file: id };
}

/** Parses the value of a cell of files, or of a cover of cards: the ID of a file, an address or a reference. */
export function fileRefOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^[\w-]+$/.test(value) ? { kind: 'file', file: value } : refOf(value);
}

/** Writes a reference as an address in Markdown. */
export function addressOf(ref: unknown): string {
  const given = recordOf(ref);
  const { kind } = given;
  const word = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  switch (kind) {
    case 'page':
      return word('space') === '' ? `/pages/${word('page')}` : spaceAddress(word('space'), word('page'));
    case 'file':
      return word('space') === ''
        ? `/files/${word('file')}`
        : spaceAddress(word('space'), `~/files/${word('file')}`);
    case 'anchor': {
      const page =
        word('space') === '' ? `/pages/${word('page')}` : spaceAddress(word('space'), word('page'));
      return `${word('page') === '' ? '' : page}#${word('anchor')}`;
    }
    case 'reusable-content':
      return word('space') === ''
        ? word('reusableContent')
        : spaceAddress(word('space'), `~/reusable/${word('reusableContent')}/`);
    case 'space':
      return spaceAddress(word('space'), '');
    case 'user':
    case 'collection':
      return `/${kind}s/${word(kind)}`;
    case 'openapi':
      return `openapi:${word('spec')}`;
    case 'tag':
      return `tag:${word('tag')}`;
    default:
      return word('url') || (typeof kind === 'string' ? word(kind) : '');
  }
}
