import { emojiOf } from '../contract/emoji.ts';
import { empty, markup, type Markup } from './markup.ts';

/** Draws icons of a site by their Font Awesome names. */
export interface Icons {
  /** Draws an icon as a decorative image. Unknown names get a generic icon. */
  readonly draw: (name: string) => Markup;
}

/** Returns the emoji or the icon before a title. */
export function markerOf(
  { emoji, icon }: { emoji?: string | undefined; icon?: string | undefined },
  icons: Icons,
): Markup {
  if (emoji !== undefined && emoji !== '')
    return markup`<span class="emoji" aria-hidden="true">${emojiOf(emoji)}</span>`;
  return icon === undefined || icon === '' ? empty : icons.draw(icon);
}
