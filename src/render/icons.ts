import type { Markup } from './markup.ts';

/** The icons of a site, by their Font Awesome names. */
export interface Icons {
  /** Draws an icon as an image that says nothing to a screen reader; a general one for a name that is not known. */
  readonly draw: (name: string) => Markup;
}
