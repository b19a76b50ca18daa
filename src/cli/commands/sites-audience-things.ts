import type { ConditionEvaluator } from '../../conditions/condition-evaluator.ts';
import type { EvaluationContext, Value } from '../../conditions/values.ts';

/** What a site shows: a group, a section, a space or a page, with what lies within it. */
export interface Thing {
  readonly object: 'site-section-group' | 'site-section' | 'site-space' | 'page';
  readonly id: string;
  readonly title: string;
  readonly path: string | undefined;
  readonly condition: string | undefined;
  readonly children: readonly Thing[];
  /** The variables of a space: conditions of its pages may ask for them. */
  readonly variables?: Value;
}

/** A thing with who sees it; the numbers are places in the list of visitors. */
export interface Seen {
  readonly thing: Thing;
  readonly by: readonly boolean[];
  /** Of a space: those who see it without some of its pages. */
  readonly partly: readonly boolean[];
  /** Why its condition never holds. */
  readonly broken: string | undefined;
  readonly children: readonly Seen[];
}

interface Looking {
  readonly admitted: boolean;
  readonly claims: Value;
}

/** Who sees what. What lies in something unseen is unseen, and so is a section or group with nothing in it to see. */
export function whoSees(
  things: readonly Thing[],
  visitors: readonly Looking[],
  evaluator: ConditionEvaluator,
): Seen[] {
  const contexts = visitors.map(({ claims }): EvaluationContext => ({
    visitor: { claims },
    page: { vars: {} },
  }));
  return things.map((thing) =>
    look(
      thing,
      contexts,
      visitors.map(({ admitted }) => admitted),
      evaluator,
    ),
  );
}

/** Every condition of these things, each once. */
export function conditionsOf(things: readonly Thing[]): string[] {
  return [
    ...new Set(
      things.flatMap(({ condition, children }) => [
        ...(condition === undefined ? [] : [condition]),
        ...conditionsOf(children),
      ]),
    ),
  ];
}

function look(
  thing: Thing,
  outer: readonly EvaluationContext[],
  within: readonly boolean[],
  evaluator: ConditionEvaluator,
): Seen {
  const { condition, variables } = thing;
  const contexts =
    variables === undefined ? outer : outer.map((context) => ({ ...context, space: { vars: variables } }));
  const mine =
    condition === undefined
      ? within
      : within.map((seen, index) => seen && evaluator.evaluate(condition, contexts[index]!).shown);
  const children = thing.children.map((child) => look(child, contexts, mine, evaluator));
  const needsContent = thing.object === 'site-section' || thing.object === 'site-section-group';
  const by = needsContent
    ? mine.map((seen, index) => seen && children.some((child) => child.by[index]))
    : mine;
  const partly = by.map(
    (seen, index) =>
      seen &&
      thing.object !== 'site-section' &&
      thing.object !== 'site-section-group' &&
      children.some((child) => isCut(child, index)),
  );
  return {
    thing,
    by,
    partly,
    broken: condition === undefined ? undefined : evaluator.explainError(condition),
    children,
  };
}

function isCut(page: Seen, index: number): boolean {
  return page.by[index] !== true || page.partly[index] === true;
}
