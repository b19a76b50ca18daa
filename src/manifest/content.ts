import { closed, oneOf, optional, Type, type Static } from '../contract/schema.ts';
import { defined } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { isExternal, type Body, type Field, type FieldDiff, type Kind } from './kind.ts';

const schema = closed(
  {
    dir: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'folder of Markdown; the path is relative to the file of the manifest',
    }),
    ...optional({
      via: oneOf(['change-request'], {
        default: 'change-request',
        description: 'how changes get to the space: always through a change request',
      }),
      merge: oneOf(['auto', 'none'], {
        default: 'auto',
        description: 'auto merges the change request; none leaves it open for a person',
      }),
      unlisted: oneOf(['skip', 'hidden'], {
        default: 'skip',
        description:
          'what happens to pages that the table of contents does not name. skip: they are left out; hidden: they become hidden pages',
      }),
    }),
  },
  { description: 'where the pages and files of the space come from' },
);

export type StatedContent = Readonly<Static<typeof schema>>;

/** The source of the pages and files of a space, and how they are sent. */
export interface ContentSource {
  /** A folder of Markdown, relative to the folder of the manifest. In the file it is relative to the folder of the file. */
  readonly dir: string;
  readonly via: 'change-request';
  /** `auto`: the change request is merged. `none`: a person has to merge it. */
  readonly merge: 'auto' | 'none';
  /** `hidden`: pages that are not in the table of contents become hidden pages at the end (default: they are left out). */
  readonly unlisted?: 'hidden';
}

/** Sends folders to spaces. The caller provides it, because this room does not read Markdown. */
export interface ContentEngine {
  /** Returns half a sentence on why a folder cannot be used; undefined if it can. */
  refusal(dir: string): string | undefined;
  /** Returns how a space differs from its folder, such as `3 pages changed, 1 new`; undefined if it does not differ. */
  plan(spaceId: string, source: ContentSource): Promise<string | undefined>;
  /** Describes the difference to readers of a plan. `left` is the fingerprint after the last apply. */
  describe(spaceId: string, source: ContentSource, left: string | undefined): Promise<FieldDiff>;
  /** Returns a text that changes when the content of the space changes. */
  fingerprint(spaceId: string, source: ContentSource): Promise<string>;
  /** Sends the difference. @throws Problem(changes-pending) if it waits for an approval */
  apply(spaceId: string, source: ContentSource): Promise<void>;
}

/** Writes the content of spaces to folders during an export. */
export interface ContentExporter {
  /** Returns the value of `content` for each space, in their order; undefined for an empty space. */
  place(spaces: readonly { body: Body; name: string }[]): Promise<readonly (StatedContent | undefined)[]>;
}

/** Adds the field `content` to the kind of spaces. The engine compares and sends its value. */
export function withContent(table: readonly Kind[], engine: ContentEngine): readonly Kind[] {
  const send: Kind['calls'][string]['send'] = (_, { id }, fields) =>
    engine.apply(id, fields['content'] as ContentSource);
  return withField(table, contentField(engine), (kind) => ({
    calls: { ...kind.calls, content: { send } },
    ...createWithContent(kind, engine),
  }));
}

/** Sends the content of a new space before the space is locked or gets rules that restrict merges. */
function createWithContent({ create }: Kind, engine: ContentEngine): Pick<Kind, 'create'> {
  if (create === undefined) return {};
  return {
    create: async (backend, parent, { content, ...fields }, sendEarly) => {
      if (content === undefined) return create(backend, parent, fields);
      // The apply sets `editMode` after the create, like all fields that still differ.
      const { editMode: _, ...open } = fields;
      const body = await create(backend, parent, open);
      try {
        // People whom the space denies must not be able to read its content in the meantime.
        await sendEarly?.('access', body);
        await engine.apply(body.id, content as ContentSource);
      } catch (error) {
        // The apply sends the content again when the space is in its state, and reports the problem then.
        if (!(error instanceof Problem)) throw error;
      }
      return body;
    },
  };
}

/** Adds the field `content` for an export, with the value from the exporter. */
export function withExportedContent(table: readonly Kind[], exporter: ContentExporter): readonly Kind[] {
  return withField(table, {
    schema,
    normalize: withDefaults,
    fingerprintOf: revisionOf,
    export: (spaces) => exporter.place(spaces),
  });
}

function withField(
  table: readonly Kind[],
  content: Field,
  more: (kind: Kind) => Partial<Kind> = () => ({}),
): readonly Kind[] {
  return table.map((kind) =>
    isExternal(kind, 'content') ? { ...kind, fields: { ...kind.fields, content }, ...more(kind) } : kind,
  );
}

function revisionOf(body: Body): string {
  return (body as Body & { revision: string }).revision;
}

function withDefaults(value: unknown): ContentSource {
  const { dir, via = 'change-request', merge = 'auto', unlisted } = value as StatedContent;
  return { dir, via, merge, ...defined({ unlisted: unlisted === 'hidden' ? unlisted : undefined }) };
}

/** The value names a folder, not its content. So the field counts as different if there is anything to send. */
function contentField(engine: ContentEngine): Field {
  return {
    schema,
    call: 'content',
    create: 'also',
    fingerprintOf: revisionOf,
    fingerprint: (_, { id }, source) => engine.fingerprint(id, source as ContentSource),
    describe: (_, { id }, source, left) => engine.describe(id, source as ContentSource, left),
    normalize: (value, _, fault) => {
      const source = withDefaults(value);
      const refused = engine.refusal(source.dir);
      if (refused !== undefined) fault(refused);
      return source;
    },
    fetch: async (_, { id }, stated) => {
      const source = stated as ContentSource;
      // A folder that cannot be used is already reported, together with all other faults.
      const isRefused = engine.refusal(source.dir) !== undefined;
      return (isRefused ? undefined : await engine.plan(id, source)) ?? source;
    },
  };
}
