import { closed, custom, DateTime, nullable, oneOf, Type, type Static } from '../../contract/schema.ts';
import { OwnedSchema } from '../manifest-state.ts';

const Value = custom<unknown>('JournalValue', {}, () => true);
const Fields = Type.Record(Type.String(), Value);
const Text = Type.String();
const Counts = Type.Record(Text, Type.Integer({ minimum: 0 }));

/** Kind and id of all that a resource lies in, the outermost first. */
const Path = Type.Array(Type.Array(Text, { minItems: 2, maxItems: 2 }));

/** Lock entries as they stood; null: there was none. Secret fields are not in them. */
const Entries = Type.Record(Text, nullable(OwnedSchema));

const Change = closed({
  field: Text,
  /** Ids stand for refs. Absent where the resource is new, or the API does not show the field. */
  before: Type.Optional(Value),
  after: Type.Optional(Value),
  /** It is a secret: neither value is here. */
  secret: Type.Optional(Type.Literal(true)),
});

/** A resource as it was before it was deleted, with all that lay in it. */
const Was = Type.Recursive((This) =>
  closed({
    kind: Text,
    id: Text,
    name: Text,
    address: Type.Optional(Text),
    fields: Fields,
    /** Fields that cannot be known again, and why. */
    unknown: Type.Record(Text, Text),
    inside: Type.Array(This),
  }),
);

/** What something else says of a resource, and no longer does when that is deleted: the spaces of a collection. */
const Aside = closed({ kind: Text, id: Text, name: Text, within: Path, field: Text, before: Value });

const HeadLine = closed({
  type: Type.Literal('run'),
  version: Type.Literal(1),
  id: Text,
  place: Text,
  organization: Text,
  at: DateTime,
  docsctl: Text,
  who: Type.Optional(Text),
  files: Type.Array(Text),
  /** Files of jobs, from which it ingests what is new when its steps are done. */
  ingests: Type.Optional(Type.Array(Text)),
  /** Of the lock before. */
  serial: Type.Integer({ minimum: 0 }),
  /** The run that this one undoes. */
  undoes: Type.Optional(Text),
});

/** The order of what lies in a parent, and who holds what only one can have, before anything there was touched. */
const ScopeLine = closed({
  type: oneOf(['scope', 'scope-end']),
  kind: Text,
  parent: Text,
  at: Path,
  parts: Type.Record(Text, Path),
  holders: Type.Record(Text, Text),
});

/** A step, written before its first call. */
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
  was: Type.Optional(Was),
  asides: Type.Optional(Type.Array(Aside)),
  /** Of a space whose content the step sends: the revision before. */
  revision: Type.Optional(Text),
});

/** The id of what a create made, as soon as it is known. */
const MadeLine = closed({ type: Type.Literal('made'), key: Text, id: Text });

/** What a space had when its content was sent: the revision before where the change request waits. */
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
  /** Steps by how they ended. */
  counts: Counts,
  /** Steps that were done, by their action. */
  did: Counts,
});

/** The lines of a journal, by their type. */
export const lineSchemas = {
  run: HeadLine,
  scope: ScopeLine,
  'scope-end': ScopeLine,
  step: StepLine,
  made: MadeLine,
  content: ContentLine,
  ended: EndedLine,
  end: EndLine,
} as const;

export type RunHeader = Static<typeof HeadLine>;
export type RecordedOrder = Static<typeof ScopeLine>;
export type BegunStep = Static<typeof StepLine>;
export type ContentSent = Static<typeof ContentLine>;
export type EndedStep = Static<typeof EndedLine>;
export type End = Static<typeof EndLine>;
export type RecordedChange = Static<typeof Change>;
export type DeletedResource = Static<typeof Was>;
export type RecordedReferrer = Static<typeof Aside>;
export type JournalLine =
  | RunHeader
  | RecordedOrder
  | BegunStep
  | Static<typeof MadeLine>
  | ContentSent
  | EndedStep
  | End;
