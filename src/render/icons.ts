import { emojiOf } from '../contract/emoji.ts';
import { empty, markup, type Markup } from './markup.ts';

/** The icons of a site, by their Font Awesome names. */
export interface Icons {
  /** Draws an icon as an image that says nothing to a screen reader; a general one for a name that is not known. */
  readonly draw: (name: string) => Markup;
}

/** The emoji or the icon in front of a title. */
export function markerOf(
  { emoji, icon }: { emoji?: string | undefined; icon?: string | undefined },
  icons: Icons,
): Markup {
  if (emoji !== undefined && emoji !== '')
    return markup`<span class="emoji" aria-hidden="true">${emojiOf(emoji)}</span>`;
  return icon === undefined || icon === '' ? empty : icons.draw(icon);
}
