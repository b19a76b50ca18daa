import {
  compareParts,
  createTextReader,
  isUnchanged,
  listParts,
  readHunks,
  type ContentPart,
  type PartChange,
  type TextReader,
} from '../content-sync/compare-content.ts';
import { openContent } from '../content-sync/space-content.ts';
import type { OutputOf } from '../contract/operation.ts';
import { plural } from '../contract/values.ts';
import { orUndefined } from '../errors/problem.ts';
import { empty, markup, type Content } from '../render/markup.ts';
import type { getChangeRequest } from '../resources/change-requests/contract.ts';
import { countHunks, type Hunk } from '../richtext/diff-hunks.ts';
import { pageHref, type ContentPlace } from './content-place.ts';
import { words } from './page-parts.ts';
import type { PageContext } from './page-view.ts';

/** Maximum number of changed parts whose lines are shown, and of lines of each. Others are only named and counted. */
const maxParts = 50;
const maxLines = 600;
/** Number of unchanged lines around a change. */
const contextLines = 3;

/** Returns the changes of a change request, line by line, like `docsctl change-requests diff`. */
export async function changesOf(
  context: PageContext,
  place: ContentPlace,
  request: OutputOf<typeof getChangeRequest>,
): Promise<Content> {
  const { signal } = new AbortController();
  const { space: spaceId, id: changeRequestId } = request;
  const revisionId = request.revisionMergedAncestor ?? request.revisionInitial;
  const before = await openContent(context.api, { spaceId, revisionId }, signal);
  const after = await openContent(context.api, { spaceId, changeRequestId }, signal);
  const [old, now] = [await listParts(before), await listParts(after)];
  const texts = { before: orEmpty(createTextReader(before)), after: orEmpty(createTextReader(after)) };
  const shown: Content[] = [];
  const named: Content[] = [];
  for (const change of compareParts(old, now)) {
    if (shown.length < maxParts) {
      const drawn = await drawChange(context, place, change, texts);
      if (drawn !== undefined) shown.push(drawn);
    } else named.push(markup`<li>${headOf(context, place, change)}</li>`);
  }
  if (shown.length === 0) return markup`<p class="none">The change request changes nothing.</p>`;
  return [
    shown,
    named.length === 0
      ? empty
      : markup`<details class="more-changes"><summary>${plural(named.length, 'more changed page or file', 'more changed pages and files')}</summary><ul class="rows">${named}</ul></details>`,
  ];
}

async function drawChange(
  context: PageContext,
  place: ContentPlace,
  change: PartChange,
  texts: { readonly before: TextReader; readonly after: TextReader },
): Promise<Content | undefined> {
  const { before, after, fields, neighbor, part } = change;
  const hunks = await readHunks(change, texts, contextLines);
  if (isUnchanged(change, hunks)) return undefined;
  const notes = [
    ...fields.map(([name, from, to]) => markup`<li>${name}: <del>${from}</del> → <ins>${to}</ins></li>`),
    neighbor === undefined ? undefined : markup`<li>moved ${neighbor.side} “${neighbor.title}”</li>`,
    part.kind === 'file'
      ? markup`<li>${[before, after]
          .map((one) => (one?.size === undefined ? undefined : words.size(one.size)))
          .filter((size) => size !== undefined)
          .join(' → ')}</li>`
      : undefined,
  ].filter((note) => note !== undefined);
  return markup`<section class="change">${headOf(context, place, change, hunks)}${notes.length === 0 ? empty : markup`<ul class="change-notes">${notes}</ul>`}${linesOf(part, hunks ?? [])}</section>`;
}

function headOf(
  context: PageContext,
  place: ContentPlace,
  { part, before, after }: PartChange,
  hunks: readonly Hunk[] = [],
): Content {
  const word =
    before === undefined
      ? 'added'
      : after === undefined
        ? 'deleted'
        : before.path === after.path
          ? 'changed'
          : 'renamed';
  const href =
    after?.kind === 'page' && after.place !== undefined ? pageHref(context, place, after.place) : undefined;
  const { added, removed } = countHunks(hunks);
  const old =
    before !== undefined && after !== undefined && before.path !== after.path
      ? markup`<span class="row-note">was ${before.path}</span>`
      : empty;
  const counts =
    added + removed === 0
      ? empty
      : markup`<span class="change-counts"><span class="added">+${added}</span> <span class="removed">−${removed}</span></span>`;
  return markup`<h3><span class="tag">${word}</span> ${href === undefined ? part.path : markup`<a href="${href}">${part.path}</a>`} ${old}${counts}</h3>`;
}

/** Returns a reader that returns an empty text for a page that was deleted meanwhile. */
function orEmpty(read: TextReader): TextReader {
  return async (part) => (await orUndefined(read(part), 'not-found')) ?? '';
}

const signs = { '+': 'ins', '-': 'del', ' ': 'span' } as const;

function linesOf({ path }: ContentPart, hunks: readonly Hunk[]): Content {
  if (hunks.length === 0) return empty;
  const lines: Content[] = [];
  let left = maxLines;
  for (const { before, after, lines: all } of hunks) {
    if (left <= 0) break;
    lines.push(markup`<span class="hunk">@@ −${before.join(',')} +${after.join(',')} @@\n</span>`);
    for (const { sign, text } of all.slice(0, left)) {
      const line = `${sign}${text.replace(/\n$/, '')}\n`;
      if (signs[sign] === 'ins') lines.push(markup`<ins>${line}</ins>`);
      else if (signs[sign] === 'del') lines.push(markup`<del>${line}</del>`);
      else lines.push(line);
    }
    left -= all.length;
  }
  const all = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const rest = all > maxLines ? markup`<p class="none">${plural(all - maxLines, 'more line')}</p>` : empty;
  return [
    markup`<pre class="diff" tabindex="0" role="region" aria-label="${`Changed lines of ${path}`}"><code>${lines}</code></pre>`,
    rest,
  ];
}
