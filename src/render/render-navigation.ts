import { markerOf, type Icons } from './icons.ts';
import { attributes, classes, empty, markup, type Markup } from './markup.ts';
import { renderTag, type PageTag } from './page-tag.ts';
import type { Words } from './words.ts';

export interface NavigationEntry {
  readonly title: string;
  /** Absent for a group, which has no page. */
  readonly href?: string | undefined;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  readonly isCurrent: boolean;
  /** Whether it leads to another site. */
  readonly isExternal: boolean;
  /** The child entries; undefined if there are some that are loaded when a reader opens the entry. */
  readonly children: readonly NavigationEntry[] | undefined;
  /** The address from which the child entries are loaded. */
  readonly more?: string | undefined;
  readonly tag?: PageTag | undefined;
}

/** The data for rendering the table of contents. */
interface NavigationContext {
  readonly icons: Icons;
  readonly words: Words;
  /** The target of links to other sites; undefined for the same tab. */
  readonly externalTarget: '_blank' | undefined;
}

/** Renders the entries of the table of contents. The path to the current page is open. */
export function renderNavigation(entries: readonly NavigationEntry[], context: NavigationContext): Markup {
  return markup`<ul>${entries.map((entry) => renderEntry(entry, context))}</ul>`;
}

function renderEntry(entry: NavigationEntry, context: NavigationContext): Markup {
  const { icons, words, externalTarget } = context;
  const { children, title, href, isCurrent, isExternal, more, tag } = entry;
  const content = markup`${markerOf(entry, icons)}<bdi>${title}</bdi>${tag === undefined ? empty : renderTag(tag, icons)}${isExternal ? icons.draw('arrow-up-right-from-square') : empty}`;
  if (href === undefined)
    return markup`<li class="group"><p>${content}</p>${children === undefined || children.length === 0 ? empty : renderNavigation(children, context)}</li>`;
  const link = markup`<a${attributes({ href, 'aria-current': isCurrent ? 'page' : undefined, ...(isExternal && { rel: 'noopener', target: externalTarget }) })}>${content}</a>`;
  if (children?.length === 0) return markup`<li>${link}</li>`;
  const isOpen = children !== undefined;
  // The script shows the button. Without it, the link opens the page, which shows its child entries.
  const toggle = markup`<button type="button" class="icon-button" data-toggle${attributes({ 'data-more': more })} aria-expanded="${String(isOpen)}" aria-label="${words.expand}: ${title}" hidden>${icons.draw('chevron-right')}</button>`;
  return markup`<li${classes('parent', isOpen && 'open')}><div class="entry">${link}${toggle}</div>${children === undefined ? empty : renderNavigation(children, context)}</li>`;
}
