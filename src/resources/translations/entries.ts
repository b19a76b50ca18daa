import type { JobContext } from '../../core/jobs.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { readPageText } from '../../richtext/front-matter.ts';
import { translateFrontMatter } from '../../translation/front-matter.ts';
import {
  segmentMarkdown,
  segmentText,
  type FindAnswer,
  type SegmentedText,
} from '../../translation/segment-markdown.ts';
import type { Protector } from '../../translation/pieces.ts';
import { putText, readBlob } from '../../content/blobs.ts';
import { gitOid } from '../../content/hashing.ts';
import { learn, recall, type MemoryQuery } from './memory.ts';
import { recallPages, rememberPage, withWords, type Spoken, type Words } from './page-memory.ts';
import type { WantedAnchors } from './wanted-anchors.ts';
import type { Entry } from '../../content/rows.ts';

/** Entries that are translated together, so that their segments fill batches. */
const atOnce = 20;
/** Entries that one transaction recalls. */
const recalledAtOnce = 500;

export interface TranslatedEntries {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Segments that keep their words. */
  readonly kept: number;
}

/** What entries are translated with. */
export interface Means {
  readonly asking: MemoryQuery;
  readonly protect: Protector;
  readonly anchors: WantedAnchors;
}

/** Translates pages, their titles and descriptions, and texts that pages include; files and settings are what they were. */
export async function translateEntries(
  context: JobContext,
  means: Means,
  given: readonly Entry[],
): Promise<TranslatedEntries> {
  const entries = new Map(given.map((entry) => [entry.id, entry]));
  const spoken = given.filter(isSpoken);
  const left: Spoken[] = [];
  for (let at = 0; at < spoken.length; at += recalledAtOnce) {
    stopWhere(context);
    const some = spoken.slice(at, at + recalledAtOnce);
    const known = await context.read((view) =>
      recallPages(view, means.asking, some, (id) => linkedTo(means, id)),
    );
    for (const entry of some) {
      const words = known.get(entry.id);
      if (words === undefined) left.push(entry);
      else entries.set(entry.id, withWords(entry, words));
    }
  }
  const kept = new Set<string>();
  for (let at = 0; at < left.length; at += atOnce) {
    stopWhere(context);
    context.progress(`${spoken.length - left.length + at}/${spoken.length} pages`);
    for (const entry of await translateGroup(context, means, left.slice(at, at + atOnce), kept))
      entries.set(entry.id, entry);
  }
  context.progress(`${spoken.length}/${spoken.length} pages`);
  return { entries, kept: kept.size };
}

function stopWhere({ signal }: JobContext): void {
  if (signal.aborted) throw new Problem('interrupted', 'Stopped; what is translated is kept.');
}

function linkedTo({ anchors }: Means, id: string): readonly string[] {
  return anchors.get(id) ?? [];
}

async function translateGroup(
  context: JobContext,
  means: Means,
  group: readonly Spoken[],
  kept: Set<string>,
): Promise<Spoken[]> {
  const { asking } = means;
  const texts = await context.read(async (view) => {
    const read: string[] = [];
    for (const { blob } of group) read.push(blob === undefined ? '' : await readBlob(view, blob));
    return read;
  });
  const taken: Taken[] = [];
  for (const [index, entry] of group.entries()) {
    taken.push(takeApart(entry, texts[index]!, means));
    // Parsing takes a while; between two pages others have their turn.
    await new Promise(setImmediate);
  }
  const wires = [...new Set(taken.flatMap((each) => each.wires))];
  const known = await context.read((view) => recall(view, asking, wires));
  try {
    await learn(context, asking, wires, known);
  } catch (error) {
    throw atPage(error, taken.find((each) => each.wires.some((wire) => !known.has(wire)))?.entry);
  }
  for (const wire of wires) if (known.get(wire) === null) kept.add(wire);
  const answers: FindAnswer = (wire) => known.get(wire) ?? undefined;
  const written: { readonly taken: Taken; readonly text: string }[] = [];
  for (const each of taken) {
    written.push({ taken: each, text: each.body.translate(answers) });
    await new Promise(setImmediate);
  }
  return context.write(async (tx) => {
    const done: Spoken[] = [];
    for (const { taken: each, text } of written) {
      const words = await putTogether(tx, each, text, answers);
      if (!each.wires.some((wire) => kept.has(wire)))
        await rememberPage(tx, asking, each.entry, linkedTo(means, each.entry.id), words);
      done.push(withWords(each.entry, words));
    }
    return done;
  });
}

/** A problem with the first page that it keeps from being done. */
function atPage(error: unknown, entry: Spoken | undefined): unknown {
  if (!(error instanceof Problem) || error.reason === 'interrupted' || entry === undefined) return error;
  const { reason, message, hint, retryAfter } = error;
  return new Problem(
    reason,
    `${entry.kind === 'page' ? 'Page' : 'Text'} "${cut(entry.title, 80)}": ${message}`,
    { hint, retryAfter, cause: error },
  );
}

function isSpoken(entry: Entry): entry is Spoken {
  return entry.kind === 'page' || (entry.kind === 'text' && entry.role === 'include');
}

interface Taken {
  readonly entry: Spoken;
  /** What stands above the text of an include; that of a page lies beside it. */
  readonly frontMatter: string;
  readonly title: SegmentedText;
  readonly description: SegmentedText | undefined;
  readonly body: SegmentedText;
  readonly wires: readonly string[];
}

function takeApart(entry: Spoken, text: string, means: Means): Taken {
  const { protect } = means;
  const { frontMatter, body: markdown } =
    entry.kind === 'text' ? readPageText(text) : { frontMatter: '', body: text };
  const title = segmentText(entry.title, protect);
  const description =
    entry.kind === 'page' && entry.description !== undefined
      ? segmentText(entry.description, protect)
      : undefined;
  const body = segmentMarkdown(markdown, protect, linkedTo(means, entry.id));
  return {
    entry,
    frontMatter,
    title,
    description,
    body,
    wires: [...title.wires, ...(description?.wires ?? []), ...body.wires],
  };
}

/** The longest title and description of a page. */
const longest = { title: 255, description: 1000 };

async function putTogether(
  tx: WriteTransaction,
  { entry, frontMatter, title, description }: Taken,
  text: string,
  answers: FindAnswer,
): Promise<Words> {
  const words = {
    title: cut(title.translate(answers), longest.title) || entry.title,
    ...(description === undefined
      ? {}
      : { description: cut(description.translate(answers), longest.description) }),
  };
  if (entry.blob === undefined) return words;
  const above =
    entry.kind === 'page' && entry.frontMatter !== undefined
      ? { frontMatter: translateFrontMatter(entry.frontMatter, words) }
      : {};
  const whole = (above.frontMatter ?? frontMatter) + text;
  return {
    ...words,
    ...above,
    text: {
      blob: await putText(tx, frontMatter + text),
      size: Buffer.byteLength(frontMatter + text),
      oid: gitOid(whole),
    },
  };
}

function cut(text: string, most: number): string {
  // Not within a character of two units.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
