import type { Key } from '../../core/store.ts';
import type { Answer, Value } from './connections.ts';
import { encodeKey } from './keys.ts';

/** `text`: the JSON of at most one row. `rows`: IDs and JSON. `number`: one number. */
export type ReadKind = 'text' | 'rows' | 'number';

export interface Read {
  readonly kind: ReadKind;
  readonly sql: string;
  readonly values: readonly Value[];
}

type Source =
  | { readonly constant: Value }
  /** A value of `ReadOptions.given`. */
  | { readonly given: number; readonly isEncoded: boolean }
  /** A field of a row that an earlier read of the plan returns. */
  | { readonly step: number; readonly field: string; readonly isEncoded: boolean }
  /** Two values with a separator between them. */
  | { readonly parts: readonly [Source, string, Source] };

interface Step {
  readonly kind: ReadKind;
  readonly sql: string;
  readonly sources: readonly Source[];
}

/** The usual reads of a kind of request, as one statement. */
interface Plan {
  readonly steps: readonly Step[];
  readonly sql: string;
  readonly parameters: readonly Source[];
}

/** Maximum number of reads in one statement. Further reads are done one by one. */
const maxSteps = 12;
/** Maximum number of reads of a transaction that a plan is made from. Some of them may be equal. */
export const maxLearned = 2 * maxSteps;
/** Maximum number of kinds of requests with a plan. */
const maxPlans = 1000;
/** How often a plan that lacks a read is replaced. After that it is kept. */
const maxLessons = 8;

/**
 * Learns which rows each kind of request reads, so that later requests read them in one statement. A plan only guesses: its
 * answer is used only for exactly the same read, and other reads are done one by one.
 */
export class ReadPlans {
  readonly #plans = new Map<string, { plan: Plan; lessons: number; isWhole: boolean }>();

  /** Returns the statement for a kind of request; undefined if none was learned. */
  find(like: string): Plan | undefined {
    return this.#plans.get(like)?.plan;
  }

  /** Whether the last request of a kind needed only reads that its plan contains. */
  isWhole(like: string): boolean {
    return this.#plans.get(like)?.isWhole === true;
  }

  /** Learns from a request. `done` are its reads in order, with their answers. `missed`: the plan lacked some of them. */
  learn(
    like: string,
    given: readonly Key[],
    done: readonly (Read & { readonly answer: Answer })[],
    missed: boolean,
  ): void {
    const known = this.#plans.get(like);
    if (known !== undefined && (!missed || known.lessons >= maxLessons)) {
      known.isWhole = !missed;
      return;
    }
    if (known === undefined && this.#plans.size >= maxPlans) return;
    const plan = makePlan(given, done);
    if (plan !== undefined)
      this.#plans.set(like, { plan, lessons: (known?.lessons ?? 0) + 1, isWhole: done.length <= maxSteps });
  }
}

/** The answers of a plan, by their reads. */
export type PlannedAnswers = ReadonlyMap<string, Answer>;

/** Returns a text that identifies a read. */
export function readName(sql: string, values: readonly Value[]): string {
  return JSON.stringify([sql, values]);
}

/** Returns the parameters of the statement of a plan; undefined if a text has a NUL, which PostgreSQL refuses. */
export function planValues({ parameters }: Plan, given: readonly Key[]): Value[] | undefined {
  if (given.some((value) => typeof value === 'string' && value.includes('\0'))) return undefined;
  return parameters.map((source) => resolve(source, given, []) ?? null);
}

/** Splits the row that the statement of a plan returned into the answers of its reads. */
export function planAnswers(
  plan: Plan,
  given: readonly Key[],
  row: readonly (string | null)[],
): PlannedAnswers {
  const answers = new Map<string, Answer>();
  const texts: (string | null)[] = [];
  let column = 0;
  for (const { kind, sql, sources } of plan.steps) {
    const first = row[column] ?? null;
    const second = row[column + 1] ?? null;
    column += kind === 'rows' ? 2 : 1;
    texts.push(kind === 'text' ? first : null);
    const values = sources.map((source) => resolve(source, given, texts));
    if (values.includes(undefined)) continue;
    const answer = kind === 'rows' ? rowsOf(first, second) : first === null ? [] : [[first]];
    if (answer !== undefined) answers.set(readName(sql, values as Value[]), answer);
  }
  return answers;
}

/** Splits lists at line feeds: JSON contains no raw line feed. Undefined if an ID contains one. */
function rowsOf(ids: string | null, texts: string | null): Answer | undefined {
  if (ids === null || texts === null) return [];
  const list = ids.split('\n');
  const data = texts.split('\n');
  return list.length === data.length ? list.map((id, at) => [id, data[at] as string]) : undefined;
}

function resolve(
  source: Source,
  given: readonly Key[],
  texts: readonly (string | null)[],
): Value | undefined {
  if ('constant' in source) return source.constant;
  if ('parts' in source) {
    const [a, middle, b] = source.parts;
    const [start, end] = [resolve(a, given, texts), resolve(b, given, texts)];
    return typeof start === 'string' && typeof end === 'string' ? start + middle + end : undefined;
  }
  const value = 'given' in source ? given[source.given] : fieldOf(texts[source.step], source.field);
  if (value === undefined || value === null || typeof value === 'number') return undefined;
  return source.isEncoded ? encodeKey(value) : value;
}

/**
 * Returns a text field of a row; undefined if the row may have an escaped NUL or half of a surrogate pair, because PostgreSQL
 * cannot read such JSON.
 */
function fieldOf(text: string | null | undefined, field: string): Key | undefined {
  if (text === null || text === undefined || text.includes('\\u')) return undefined;
  const value = (JSON.parse(text) as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : undefined;
}

/** A text that a plan can use as parameter: from the request, or from an earlier read. */
interface Offer {
  readonly value: string;
  readonly source: Source;
}

function makePlan(
  given: readonly Key[],
  done: readonly (Read & { readonly answer: Answer })[],
): Plan | undefined {
  const offers: Offer[] = given.flatMap((value, at): Offer[] =>
    typeof value === 'string' && value !== ''
      ? offersOf(value, (isEncoded) => ({ given: at, isEncoded }))
      : [],
  );
  const steps: Step[] = [];
  const names = new Set<string>();
  for (const { kind, sql, values, answer } of done) {
    if (steps.length === maxSteps) break;
    if (names.has(readName(sql, values))) continue;
    names.add(readName(sql, values));
    const step = steps.length;
    steps.push({ kind, sql, sources: values.map((value) => sourceOf(value, offers)) });
    const text = kind === 'text' ? answer[0]?.[0] : undefined;
    if (typeof text !== 'string') continue;
    for (const [field, value] of Object.entries(JSON.parse(text) as Record<string, unknown>))
      if (typeof value === 'string' && value !== '')
        offers.push(...offersOf(value, (isEncoded) => ({ step, field, isEncoded })));
  }
  return steps.length === 0 ? undefined : write(steps);
}

function offersOf(value: string, source: (isEncoded: boolean) => Source): Offer[] {
  return [
    { value, source: source(false) },
    { value: encodeKey(value), source: source(true) },
  ];
}

/** The separator of the two parts of a key, such as `ORGANIZATION.USER` of a member. */
const separator = '.';

function sourceOf(value: Value, offers: readonly Offer[]): Source {
  if (typeof value !== 'string') return { constant: value };
  const same = offers.find((offer) => offer.value === value);
  if (same !== undefined) return same.source;
  const at = value.indexOf(separator);
  const start = offers.find((offer) => offer.value === value.slice(0, at));
  const end = offers.find((offer) => offer.value === value.slice(at + 1));
  return at > 0 && start !== undefined && end !== undefined
    ? { parts: [start.source, separator, end.source] }
    : { constant: value };
}

/** Writes the reads as one statement. Each read is a common table expression, so that later reads can refer to earlier ones. */
function write(steps: readonly Step[]): Plan {
  const parameters: Source[] = [];
  const expression = (source: Source): string => {
    if ('step' in source) {
      const name = source.field.replaceAll("'", "''");
      // Corresponds to `fieldOf`.
      const field = `(SELECT CASE WHEN strpos(data, E'\\\\u') = 0 THEN data::json ->> '${name}' END FROM s${source.step})`;
      return source.isEncoded ? `('s' || ${field})` : field;
    }
    if ('parts' in source) {
      const [a, middle, b] = source.parts;
      return `(${expression(a)} || '${middle}' || ${expression(b)})`;
    }
    parameters.push(source);
    // PostgreSQL needs the type of a parameter next to `||`.
    return 'constant' in source && typeof source.constant === 'number'
      ? `$${parameters.length}::bigint`
      : `$${parameters.length}::text`;
  };
  const tables = steps.map(
    ({ sql, sources }, at) =>
      `s${at} AS MATERIALIZED (${sql.replace(/\$(\d+)/g, (_, number: string) => expression(sources[Number(number) - 1] as Source))})`,
  );
  const columns = steps.map(({ kind }, at) => {
    if (kind === 'text') return `(SELECT data FROM s${at})`;
    if (kind === 'number') return `(SELECT number FROM s${at})`;
    return `(SELECT string_agg(id, E'\\n') FROM s${at}), (SELECT string_agg(data, E'\\n') FROM s${at})`;
  });
  return { steps, sql: `WITH ${tables.join(', ')} SELECT ${columns.join(', ')}`, parameters };
}
