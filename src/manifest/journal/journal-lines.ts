import {
  closed,
  custom,
  DateTime,
  nullable,
  oneOf,
  optional,
  Type,
  type Static,
} from '../../contract/schema.ts';
import { OwnedSchema } from '../manifest-state.ts';

const Value = custom<unknown>('JournalValue', {}, () => true);
const Fields = Type.Record(Type.String(), Value);
const Text = Type.String();
const Counts = Type.Record(Text, Type.Integer({ minimum: 0 }));

/** The kind and ID of each parent of a resource and of the resource itself, the outermost first. */
export type ResourcePath = readonly (readonly [kind: string, id: string])[];
const Path = Type.Unsafe<ResourcePath>(Type.Array(Type.Array(Text, { minItems: 2, maxItems: 2 })));

/** Entries of the state file by address; null: there was none. */
const Entries = Type.Record(Text, nullable(OwnedSchema));

const Change = closed({
  field: Text,
  /** With IDs for references. Absent for a new resource, and if the API does not show the field. */
  before: Type.Optional(Value),
  after: Type.Optional(Value),
});

const Deleted = Type.Recursive((This) =>
  closed({
    kind: Text,
    id: Text,
    name: Text,
    address: Type.Optional(Text),
    fields: Fields,
    /** Why fields could not be read or cannot be set again. */
    unknown: Type.Record(Text, Text),
    inside: Type.Array(This),
  }),
);

const Referrer = closed({ kind: Text, id: Text, name: Text, within: Path, field: Text, before: Value });

const HeaderLine = closed({
  type: Type.Literal('run'),
  version: Type.Literal(1),
  id: Text,
  place: Text,
  organization: Text,
  at: DateTime,
  docsctl: Text,
  who: Type.Optional(Text),
  files: Type.Array(Text),
  /** Files of conversations that the run imports after its steps. */
  ingests: Type.Optional(Type.Array(Text)),
  /** Serial of the state file before the run. */
  serial: Type.Integer({ minimum: 0 }),
  undoes: Type.Optional(Text),
});

const OrderLine = closed({
  type: oneOf(['scope', 'scope-end']),
  kind: Text,
  parent: Text,
  at: Path,
  parts: Type.Record(Text, Path),
  holders: Type.Record(Text, Text),
  /** Fields of the parent that depend on this order, such as the external links of a site. */
  followers: Type.Optional(Type.Record(Text, Value)),
});

const StepLine = closed({
  type: Type.Literal('step'),
  key: Text,
  address: Text,
  kind: Text,
  action: Text,
  name: Text,
  id: Type.Optional(Text),
  within: Path,
  beside: Type.Optional(Text),
  changes: Type.Array(Change),
  owned: Entries,
  ...optional({
    was: Deleted,
    asides: Type.Array(Referrer),
    /** Revision of the space before the step sends its content. */
    revision: Text,
  }),
});

const CreatedLine = closed({ type: Type.Literal('made'), key: Text, id: Text });

const ContentLine = closed({
  type: Type.Literal('content'),
  key: Text,
  revision: Text,
  request: Type.Optional(Type.Integer()),
});

const EndedLine = closed({
  type: Type.Literal('ended'),
  key: Text,
  status: Text,
  owned: Entries,
  problem: Type.Optional(Text),
});

const EndLine = closed({
  type: Type.Literal('end'),
  at: DateTime,
  how: oneOf(['done', 'failed', 'interrupted']),
  /** Steps by status. */
  counts: Counts,
  /** The number of steps that were done, by action. */
  did: Counts,
});

export const lineSchemas = {
  run: HeaderLine,
  scope: OrderLine,
  'scope-end': OrderLine,
  step: StepLine,
  made: CreatedLine,
  content: ContentLine,
  ended: EndedLine,
  end: EndLine,
} as const;

export type RunHeader = Static<typeof HeaderLine>;
/** The order of resources in a parent, and which of them has each exclusive field. */
export type RecordedOrder = Static<typeof OrderLine>;
export type BegunStep = Static<typeof StepLine>;
/** The revision of a space after its content was sent. It is the old revision if the change request is not merged. */
export type SentContent = Static<typeof ContentLine>;
export type EndedStep = Static<typeof EndedLine>;
export type RunEnd = Static<typeof EndLine>;
export type RecordedChange = Static<typeof Change>;
/** The former state of a deleted resource with everything inside it. */
export type DeletedResource = Static<typeof Deleted>;
/** A field that referred to a deleted resource, such as the parent collection of a space. */
export type RecordedReferrer = Static<typeof Referrer>;
export type JournalLine =
  | RunHeader
  | RecordedOrder
  | BegunStep
  | Static<typeof CreatedLine>
  | SentContent
  | EndedStep
  | RunEnd;
