import type { JobContext } from '../../core/jobs.ts';
import type { Entry, PageEntry, TextEntry } from '../../core/rows/revisions.ts';
import type { Writing } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { readPageText } from '../../richtext/front-matter.ts';
import { segmentMarkdown, segmentText, type Answers, type Segmented } from '../../translation/page.ts';
import type { Protect } from '../../translation/pieces.ts';
import { putText, readBlob } from '../content/blobs.ts';
import { gitOid } from '../content/hashing.ts';
import { learn, recall, type Asking } from './memory.ts';

/** Entries that are translated together, so that their segments fill batches. */
const atOnce = 20;

export interface TranslatedEntries {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Segments that keep their words. */
  readonly kept: number;
}

/** Translates pages, their titles and descriptions, and texts that pages include; files and settings are what they were. */
export async function translateEntries(context: JobContext, asking: Asking, protect: Protect, given: readonly Entry[]): Promise<TranslatedEntries> {
  const entries = new Map(given.map((entry) => [entry.id, entry]));
  const spoken = given.filter(isSpoken);
  const kept = new Set<string>();
  for (let at = 0; at < spoken.length; at += atOnce) {
    if (context.signal.aborted) throw new Problem('interrupted', 'Stopped; what is translated is kept.');
    context.progress(`${at}/${spoken.length} pages`);
    for (const entry of await translateGroup(context, asking, protect, spoken.slice(at, at + atOnce), kept)) entries.set(entry.id, entry);
  }
  context.progress(`${spoken.length}/${spoken.length} pages`);
  return { entries, kept: kept.size };
}

async function translateGroup(context: JobContext, asking: Asking, protect: Protect, group: readonly Spoken[], kept: Set<string>): Promise<Spoken[]> {
  const texts = await context.read(async (view) => {
    const read: string[] = [];
    for (const { blob } of group) read.push(blob === undefined ? '' : await readBlob(view, blob));
    return read;
  });
  const taken: Taken[] = [];
  for (const [index, entry] of group.entries()) {
    taken.push(takeApart(entry, texts[index]!, protect));
    // Parsing takes a while; between two pages others have their turn.
    await new Promise(setImmediate);
  }
  const wires = [...new Set(taken.flatMap(({ title, description, body }) => [...title.wires, ...(description?.wires ?? []), ...body.wires]))];
  const known = await context.read((view) => recall(view, asking, wires));
  const missing = wires.filter((wire) => !known.has(wire));
  if (missing.length > 0) for (const [wire, answer] of await learn(context, asking, missing)) known.set(wire, answer);
  for (const wire of wires) if (known.get(wire) === null) kept.add(wire);
  const written: { readonly taken: Taken; readonly text: string }[] = [];
  for (const each of taken) {
    written.push({ taken: each, text: each.body.translated((wire) => known.get(wire) ?? undefined) });
    await new Promise(setImmediate);
  }
  return context.write(async (tx) => {
    const done: Spoken[] = [];
    for (const each of written) done.push(await putTogether(tx, each.taken, each.text, (wire) => known.get(wire) ?? undefined));
    return done;
  });
}

type Spoken = PageEntry | TextEntry;

function isSpoken(entry: Entry): entry is Spoken {
  return entry.kind === 'page' || (entry.kind === 'text' && entry.role === 'include');
}

interface Taken {
  readonly entry: Spoken;
  /** What stands above the text of an include; that of a page lies beside it. */
  readonly frontMatter: string;
  readonly title: Segmented;
  readonly description: Segmented | undefined;
  readonly body: Segmented;
}

function takeApart(entry: Spoken, text: string, protect: Protect): Taken {
  const { frontMatter, body } = entry.kind === 'text' ? readPageText(text) : { frontMatter: '', body: text };
  const description = entry.kind === 'page' ? entry.description : undefined;
  return {
    entry,
    frontMatter,
    title: segmentText(entry.title, protect),
    description: description === undefined ? undefined : segmentText(description, protect),
    body: segmentMarkdown(body, protect),
  };
}

/** The longest title and description of a page. */
const longest = { title: 255, description: 1000 };

async function putTogether(tx: Writing, { entry, frontMatter, title, description, body: _body }: Taken, text: string, answers: Answers): Promise<Spoken> {
  const words = { title: cut(title.translated(answers), longest.title) || entry.title };
  if (entry.blob === undefined) return { ...entry, ...words };
  const [bytes, whole] = [Buffer.from(frontMatter + text), (entry.kind === 'page' ? (entry.frontMatter ?? '') : frontMatter) + text];
  const content = { ...words, blob: await putText(tx, frontMatter + text), size: bytes.length };
  const git = entry.git === undefined ? undefined : { path: entry.git.path, oid: gitOid(Buffer.from(whole)) };
  if (entry.kind === 'text') return { ...entry, ...content, git: git! };
  const described = description === undefined ? {} : { description: cut(description.translated(answers), longest.description) };
  return { ...entry, ...content, ...described, ...(git === undefined ? {} : { git }) };
}

function cut(text: string, most: number): string {
  // Not within a character of two units.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
