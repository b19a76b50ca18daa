import type { Field, Kind } from './kind.ts';

/** Where the pages and files of a space come from, and how they get there. */
export interface ContentSource {
  /** A folder of Markdown, from the folder of the manifest. */
  readonly dir: string;
  readonly via: 'change-request';
  /** `auto`: the change request is merged; `none`: it waits for somebody who does. */
  readonly merge: 'auto' | 'none';
}

/** What brings folders into spaces. It is given by who calls: manifests know no Markdown folders. */
export interface ContentEngine {
  /** Why a folder cannot be taken, in half a sentence. */
  refusal(dir: string): string | undefined;
  /** What a space does not have as its folder has it, such as `3 pages changed, 1 new`; undefined where it does. */
  plan(spaceId: string, source: ContentSource): Promise<string | undefined>;
  /** Sends what differs then. */
  apply(spaceId: string, source: ContentSource): Promise<void>;
}

/** The table of kinds in which spaces have a field `content`. */
export function withContent(table: readonly Kind[], engine: ContentEngine): readonly Kind[] {
  return table.map((kind) =>
    kind.name !== 'space'
      ? kind
      : {
          ...kind,
          fields: { ...kind.fields, content: contentField(engine) },
          calls: { ...kind.calls, content: { send: (_, { id }, fields) => engine.apply(id, fields['content'] as ContentSource) } },
        },
  );
}

/** A folder says less than all that is in it, so what is compared is whether anything is left to send. */
function contentField(engine: ContentEngine): Field {
  return {
    shape: {
      kind: 'map',
      fields: {
        dir: { kind: 'scalar', types: ['string'], minLength: 1, maxLength: 1024 },
        via: { kind: 'scalar', types: ['string'], enum: ['change-request'] },
        merge: { kind: 'scalar', types: ['string'], enum: ['auto', 'none'] },
      },
      required: ['dir'],
    },
    by: 'content',
    normal: (value, _, fault) => {
      const { dir, via = 'change-request', merge = 'auto' } = value as Partial<ContentSource> & Pick<ContentSource, 'dir'>;
      const refused = engine.refusal(dir);
      if (refused !== undefined) fault(refused);
      return { dir, via, merge };
    },
    // A folder that is refused is a fault already, and faults are told all at once.
    fetch: async (_, { id }, stated) => (engine.refusal((stated as ContentSource).dir) === undefined ? await engine.plan(id, stated as ContentSource) : undefined) ?? stated,
  };
}
