import type { JobContext } from '../../core/jobs.ts';
import { isAiOn } from '../../core/model-requests.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { chunk, defined, shorten } from '../../contract/values.ts';
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
import { learnSegments, recallSegments, type TranslationQuery } from './memory.ts';
import {
  recallPages,
  rememberPage,
  applyTranslation,
  type TranslatableEntry,
  type TranslatedFields,
} from './page-memory.ts';
import type { LinkedAnchors } from './linked-anchors.ts';
import type { Entry } from '../../content/rows.ts';

/** Number of entries that are translated together, so that their segments fill batches. */
const entriesPerGroup = 20;
const entriesPerRecall = 500;

interface TranslatedEntries {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Number of segments that remain untranslated. */
  readonly kept: number;
}

interface TranslationTools {
  readonly query: TranslationQuery;
  readonly protect: Protector;
  readonly anchors: LinkedAnchors;
}

/** Translates pages with their titles and descriptions, and the texts that pages include. Files and settings are unchanged. */
export async function translateEntries(
  context: JobContext,
  tools: TranslationTools,
  given: readonly Entry[],
): Promise<TranslatedEntries> {
  const entries = new Map(given.map((entry) => [entry.id, entry]));
  const translatable = given.filter(isTranslatable);
  const left: TranslatableEntry[] = [];
  for (const some of chunk(translatable, entriesPerRecall)) {
    throwIfAborted(context);
    const known = await context.read((view) =>
      recallPages(view, tools.query, some, (id) => anchorsOf(tools, id)),
    );
    for (const entry of some) {
      const fields = known.get(entry.id);
      if (fields === undefined) left.push(entry);
      else entries.set(entry.id, applyTranslation(entry, fields));
    }
  }
  const kept = new Set<string>();
  const total = translatable.length;
  const reportPages = (done: number) => context.progress(`${done} of ${total} pages`, { done, total });
  for (let at = 0; at < left.length; at += entriesPerGroup) {
    throwIfAborted(context);
    reportPages(translatable.length - left.length + at);
    for (const entry of await translateGroup(context, tools, left.slice(at, at + entriesPerGroup), kept))
      entries.set(entry.id, entry);
  }
  reportPages(translatable.length);
  return { entries, kept: kept.size };
}

function throwIfAborted({ signal }: JobContext): void {
  if (signal.aborted)
    throw new Problem('interrupted', 'Interrupted. Text that is already translated is kept.');
}

function anchorsOf({ anchors }: TranslationTools, id: string): readonly string[] {
  return anchors.get(id) ?? [];
}

async function translateGroup(
  context: JobContext,
  tools: TranslationTools,
  group: readonly TranslatableEntry[],
  kept: Set<string>,
): Promise<TranslatableEntry[]> {
  const { query } = tools;
  const texts = await context.read(async (view) => {
    const read: { entry: TranslatableEntry; text: string }[] = [];
    for (const entry of group)
      read.push({ entry, text: entry.blob === undefined ? '' : await readBlob(view, entry.blob) });
    return read;
  });
  const segmented: SegmentedEntry[] = [];
  for (const { entry, text } of texts) {
    segmented.push(segmentEntry(entry, text, tools));
    // Parsing is slow, so other work runs between two pages.
    await new Promise(setImmediate);
  }
  const wires = [...new Set(segmented.flatMap((each) => each.wires))];
  const known = await context.read((view) => recallSegments(view, query, wires));
  try {
    await learnSegments(context, query, wires, known);
  } catch (error) {
    // If AI features are disabled, no page can be translated.
    if (!(await isAiOn(context))) throw error;
    throw namePage(error, segmented.find((each) => each.wires.some((wire) => !known.has(wire)))?.entry);
  }
  for (const wire of wires) if (known.get(wire) === null) kept.add(wire);
  const answers: FindAnswer = (wire) => known.get(wire) ?? undefined;
  const written: { source: SegmentedEntry; text: string }[] = [];
  for (const each of segmented) {
    written.push({ source: each, text: each.body.translate(answers) });
    await new Promise(setImmediate);
  }
  return context.write(async (tx) => {
    const done: TranslatableEntry[] = [];
    for (const { source, text } of written) {
      const fields = await translateFields(tx, source, text, answers);
      if (!source.wires.some((wire) => kept.has(wire)))
        await rememberPage(tx, query, source.entry, anchorsOf(tools, source.entry.id), fields);
      done.push(applyTranslation(source.entry, fields));
    }
    return done;
  });
}

/** Adds the first page that could not be translated because of a problem to its message. */
function namePage(error: unknown, entry: TranslatableEntry | undefined): unknown {
  if (!(error instanceof Problem) || error.reason === 'interrupted' || entry === undefined) return error;
  const { reason, message, hint, retryAfter } = error;
  return new Problem(
    reason,
    `${entry.kind === 'page' ? 'Page' : 'Text'} "${shorten(entry.title, 80)}": ${message}`,
    { hint, retryAfter, cause: error },
  );
}

function isTranslatable(entry: Entry): entry is TranslatableEntry {
  return entry.kind === 'page' || (entry.kind === 'text' && entry.role === 'include');
}

interface SegmentedEntry {
  readonly entry: TranslatableEntry;
  /** The front matter of an included text. For a page, it is a separate field. */
  readonly frontMatter: string;
  readonly title: SegmentedText;
  readonly description: SegmentedText | undefined;
  readonly body: SegmentedText;
  readonly wires: readonly string[];
}

function segmentEntry(entry: TranslatableEntry, text: string, tools: TranslationTools): SegmentedEntry {
  const { protect } = tools;
  const { frontMatter, body: markdown } =
    entry.kind === 'text' ? readPageText(text) : { frontMatter: '', body: text };
  const title = segmentText(entry.title, protect);
  const description =
    entry.kind === 'page' && entry.description !== undefined
      ? segmentText(entry.description, protect)
      : undefined;
  const body = segmentMarkdown(markdown, protect, anchorsOf(tools, entry.id));
  return {
    entry,
    frontMatter,
    title,
    description,
    body,
    wires: [...title.wires, ...(description?.wires ?? []), ...body.wires],
  };
}

/** Maximum number of characters of the title and description of a page. */
const maxLength = { title: 255, description: 1000 };

async function translateFields(
  tx: WriteTransaction,
  { entry, frontMatter, title, description }: SegmentedEntry,
  text: string,
  answers: FindAnswer,
): Promise<TranslatedFields> {
  const fields = {
    title: shorten(title.translate(answers), maxLength.title) || entry.title,
    ...(description === undefined
      ? {}
      : { description: shorten(description.translate(answers), maxLength.description) }),
  };
  if (entry.blob === undefined) return fields;
  const pageFrontMatter =
    entry.kind === 'page' && entry.frontMatter !== undefined
      ? translateFrontMatter(entry.frontMatter, fields)
      : undefined;
  return {
    ...fields,
    ...defined({ frontMatter: pageFrontMatter }),
    text: {
      blob: await putText(tx, frontMatter + text),
      size: Buffer.byteLength(frontMatter + text),
      oid: gitOid((pageFrontMatter ?? frontMatter) + text),
    },
  };
}
