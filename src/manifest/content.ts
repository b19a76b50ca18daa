import { closed, oneOf, Type } from '../contract/schema.ts';
import { Problem } from '../errors/problem.ts';
import type { Body, Field, Kind, FieldDiff } from './kind.ts';

/** Where the pages and files of a space come from, and how they get there. */
export interface ContentSource {
  /** A folder of Markdown, from the folder of the manifest; in a file it is written from the folder of that file. */
  readonly dir: string;
  readonly via: 'change-request';
  /** `auto`: the change request is merged; `none`: it waits for somebody who does. */
  readonly merge: 'auto' | 'none';
  /** Pages that the table of contents does not name are hidden pages at the end; absent: they are left out. */
  readonly unlisted?: 'hidden';
}

/** The same as a file states it, without what goes without saying. */
export type StatedContent = Partial<ContentSource> & Pick<ContentSource, 'dir'>;

/** What brings folders into spaces. It is given by who calls: manifests know no Markdown folders. */
export interface ContentEngine {
  /** Why a folder cannot be taken, in half a sentence. */
  refusal(dir: string): string | undefined;
  /** What a space does not have as its folder has it, such as `3 pages changed, 1 new`; undefined where it does. */
  plan(spaceId: string, source: ContentSource): Promise<string | undefined>;
  /** How it differs, for who reads a plan; `left` is what `leave` gave after the last apply. */
  describe(spaceId: string, source: ContentSource, left: string | undefined): Promise<FieldDiff>;
  /** What shows later what is there now. */
  fingerprint(spaceId: string, source: ContentSource): Promise<string>;
  /** Sends what differs then; `changes-pending` where that waits for somebody to approve it. */
  apply(spaceId: string, source: ContentSource): Promise<void>;
}

/** What gives the content of spaces a folder while they are exported: what the file states of each, in their order; nothing of an empty one. */
export interface ContentExporter {
  place(
    spaces: readonly { readonly body: Body; readonly name: string }[],
  ): Promise<readonly (StatedContent | undefined)[]>;
}

/** The table of kinds in which spaces have a field `content`. */
export function withContent(table: readonly Kind[], engine: ContentEngine): readonly Kind[] {
  const calls: Kind['calls'] = {
    content: { send: (_, { id }, fields) => engine.apply(id, fields['content'] as ContentSource) },
  };
  return withField(table, contentField(engine)).map((kind) =>
    kind.name !== 'space' ? kind : { ...kind, calls: { ...kind.calls, ...calls }, ...creating(kind, engine) },
  );
}

/** A new space gets its content before it is locked, or gets rules by which changes are merged, as it did where it comes from. */
function creating({ create }: Kind, engine: ContentEngine): Pick<Kind, 'create'> {
  if (create === undefined) return {};
  return {
    create: async (backend, parent, { content, ...fields }) => {
      if (content === undefined) return create(backend, parent, fields);
      // What the new one shows to be otherwise than wanted is set then.
      const { editMode: _, ...open } = fields;
      const body = await create(backend, parent, open);
      try {
        await engine.apply(body.id, content as ContentSource);
      } catch (error) {
        // The call for content comes again when the lock has the space; what is wrong with it then is told.
        if (!(error instanceof Problem)) throw error;
      }
      return body;
    },
  };
}

/** The same table for an export, which states of `content` what it made of it. */
export function withExportedContent(table: readonly Kind[], exporter: ContentExporter): readonly Kind[] {
  return withField(table, {
    schema,
    normalize: (value) => filled(value),
    fingerprintOf: revisionOf,
    export: (spaces) => exporter.place(spaces),
  });
}

function withField(table: readonly Kind[], content: Field): readonly Kind[] {
  return table.map((kind) =>
    kind.name !== 'space' ? kind : { ...kind, fields: { ...kind.fields, content } },
  );
}

const schema = closed({
  dir: Type.String({ minLength: 1, maxLength: 1024 }),
  via: Type.Optional(oneOf(['change-request'])),
  merge: Type.Optional(oneOf(['auto', 'none'])),
  unlisted: Type.Optional(oneOf(['skip', 'hidden'])),
});

function revisionOf(body: Body): string {
  return (body as Body & { readonly revision: string }).revision;
}

function filled(value: unknown): ContentSource {
  const { dir, via = 'change-request', merge = 'auto', unlisted } = value as StatedContent;
  return { dir, via, merge, ...(unlisted === 'hidden' ? { unlisted } : {}) };
}

/** A folder says less than all that is in it, so what is compared is whether anything is left to send. */
function contentField(engine: ContentEngine): Field {
  return {
    schema,
    call: 'content',
    create: 'also',
    fingerprintOf: revisionOf,
    fingerprint: (_, { id }, source) => engine.fingerprint(id, source as ContentSource),
    describe: (_, { id }, source, left) => engine.describe(id, source as ContentSource, left),
    normalize: (value, _, fault) => {
      const source = filled(value);
      const refused = engine.refusal(source.dir);
      if (refused !== undefined) fault(refused);
      return source;
    },
    // A folder that is refused is a fault already, and faults are told all at once.
    fetch: async (_, { id }, stated) =>
      (engine.refusal((stated as ContentSource).dir) === undefined
        ? await engine.plan(id, stated as ContentSource)
        : undefined) ?? stated,
  };
}
