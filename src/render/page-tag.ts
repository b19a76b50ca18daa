import { markerOf, type Icons } from './icons.ts';
import { classes, markup, type Markup } from './markup.ts';

/** A tag of a page or of an update, for readers. */
export interface PageTag {
  readonly label: string;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  /** The name of a color of the site, such as `$success`. Other colors are ignored. */
  readonly color?: string | undefined;
}

const siteColor = /^\$(primary|info|success|warning|danger)$/;

/** Renders a tag. */
export function renderTag(tag: PageTag, icons: Icons): Markup {
  const color = siteColor.exec(tag.color ?? '')?.[1];
  return markup`<span${classes('tag', color !== undefined && `tag-${color}`)}>${markerOf(tag, icons)}${tag.label}</span>`;
}
