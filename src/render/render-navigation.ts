import { markerOf, type Icons } from './icons.ts';
import { attributes, classes, empty, markup, type Markup } from './markup.ts';
import { renderTag, type PageTag } from './page-tag.ts';
import type { Words } from './words.ts';

export interface NavigationEntry {
  readonly title: string;
  /** Absent for a group, which has no page of its own. */
  readonly href?: string | undefined;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  readonly isCurrent: boolean;
  /** Whether it leads out of the site. */
  readonly isExternal: boolean;
  /** The entries under it; undefined where there are some that are loaded when a reader opens it. */
  readonly children: readonly NavigationEntry[] | undefined;
  /** Where the entries under it are loaded from. */
  readonly more?: string | undefined;
  readonly tag?: PageTag | undefined;
}

/** What the table of contents is drawn with. */
interface NavigationContext {
  readonly icons: Icons;
  readonly words: Words;
  /** Where links to other sites open; undefined for the same tab. */
  readonly externalTarget: '_blank' | undefined;
}

/** Renders the entries of the table of contents, which open where the current page is. */
export function renderNavigation(entries: readonly NavigationEntry[], context: NavigationContext): Markup {
  return markup`<ul>${entries.map((entry) => renderEntry(entry, context))}</ul>`;
}

function renderEntry(entry: NavigationEntry, context: NavigationContext): Markup {
  const { icons, words, externalTarget } = context;
  const { children, title, href, isCurrent, isExternal, more, tag } = entry;
  const content = markup`${markerOf(entry, icons)}<span>${title}</span>${tag === undefined ? empty : renderTag(tag, icons)}${isExternal ? icons.draw('arrow-up-right-from-square') : empty}`;
  if (href === undefined)
    return markup`<li class="group"><p>${content}</p>${children === undefined || children.length === 0 ? empty : renderNavigation(children, context)}</li>`;
  const link = markup`<a${attributes({ href, 'aria-current': isCurrent ? 'page' : undefined, ...(isExternal && { rel: 'noopener', target: externalTarget }) })}>${content}</a>`;
  if (children?.length === 0) return markup`<li>${link}</li>`;
  const isOpen = children !== undefined;
  // The button is shown by the script: without it the link opens the page, and the page shows what is under it.
  const toggle = markup`<button type="button" class="icon-button" data-toggle${attributes({ 'data-more': more })} aria-expanded="${String(isOpen)}" aria-label="${words.expand}: ${title}" hidden>${icons.draw('chevron-right')}</button>`;
  return markup`<li${classes('parent', isOpen && 'open')}><div class="entry">${link}${toggle}</div>${children === undefined ? empty : renderNavigation(children, context)}</li>`;
}
