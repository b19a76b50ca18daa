import type { ConditionEvaluator } from './condition-evaluator.ts';
import type { EvaluationContext, Value } from './values.ts';

/** A group, section, space, external link or page of a site, with the items in it. */
export interface SiteItem {
  readonly object: 'site-section-group' | 'site-section' | 'site-space' | 'site-external-link' | 'page';
  readonly id: string;
  readonly title: string;
  readonly path: string | undefined;
  readonly condition: string | undefined;
  /** Whether it is a page with content, neither a group nor a link. */
  readonly isPage?: boolean;
  readonly children: readonly SiteItem[];
  /** The variables of a space, which conditions of its pages may use. */
  readonly variables?: Value;
}

/** The visitors who see an item. The arrays have one entry per visitor. */
export interface ItemAudience {
  readonly item: SiteItem;
  readonly seenBy: readonly boolean[];
  /** For a space or page: whether the visitor sees it, but not all of the pages in it. */
  readonly partlyBy: readonly boolean[];
  /** The reason if the condition can never be true. */
  readonly broken: string | undefined;
  readonly children: readonly ItemAudience[];
}

/** The part of the items around the current one that one visitor sees. */
interface View {
  readonly context: EvaluationContext;
  readonly isShown: boolean;
}

/** Computes which visitors see each item. Sections and groups without a visible item are not shown. */
export function computeAudience(
  items: readonly SiteItem[],
  visitors: readonly { readonly admitted: boolean; readonly claims: Value }[],
  evaluator: ConditionEvaluator,
): ItemAudience[] {
  const views = visitors.map(({ claims, admitted }): View => ({
    context: { visitor: { claims }, page: { vars: {} } },
    isShown: admitted,
  }));
  return items.map((item) => audienceOf(item, views, evaluator));
}

function audienceOf(item: SiteItem, outer: readonly View[], evaluator: ConditionEvaluator): ItemAudience {
  const { object, condition, variables } = item;
  const views = outer.map((view): View => {
    const context = variables === undefined ? view.context : { ...view.context, space: { vars: variables } };
    const isShown = view.isShown && (condition === undefined || evaluator.evaluate(condition, context).shown);
    return { context, isShown };
  });
  const children = item.children.map((child) => audienceOf(child, views, evaluator));
  const isContainer = object === 'site-section' || object === 'site-section-group';
  const seenBy = views.map(
    ({ isShown }, visitor) => isShown && (!isContainer || children.some((child) => child.seenBy[visitor])),
  );
  const isCut = (child: ItemAudience, visitor: number): boolean =>
    child.seenBy[visitor] !== true || child.partlyBy[visitor] === true;
  const partlyBy = seenBy.map(
    (isSeen, visitor) => isSeen && !isContainer && children.some((child) => isCut(child, visitor)),
  );
  const broken = condition === undefined ? undefined : evaluator.explainError(condition);
  return { item, seenBy, partlyBy, broken, children };
}

/** Lists the conditions of these items and of the items in them, without duplicates. */
export function conditionsOf(items: readonly SiteItem[]): string[] {
  const conditions = items.flatMap(({ condition, children }) => [
    ...(condition === undefined ? [] : [condition]),
    ...conditionsOf(children),
  ]);
  return [...new Set(conditions)];
}
