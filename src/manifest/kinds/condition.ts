import { checkCondition as checkClaims } from '../../conditions/check-condition.ts';
import type { ClaimSchema } from '../../conditions/claims.ts';
import { ConditionError, parseCondition } from '../../conditions/parse-condition.ts';
import type { TSchema } from '../../contract/schema.ts';
import type { Field } from '../kind.ts';

/** An expression about visitors. It is checked against the adaptive schema of the site if the manifest states one. */
export function conditionField(schema: TSchema): Field {
  return {
    schema,
    default: null,
    check: (value, above, fault) => checkCondition(String(value), above, fault),
  };
}

/** Checks the syntax of a condition, and checks it against the adaptive schema of the site if the manifest states one. */
export function checkCondition(
  condition: string,
  above: (kind: string, field: string) => unknown,
  fault: (message: string) => void,
): void {
  const tree = parseCondition(condition);
  if (tree instanceof ConditionError) return fault(`the condition is not valid: ${String(tree)}`);
  const { jsonSchema } = (above('site', 'adaptive') ?? {}) as { jsonSchema?: ClaimSchema | null };
  if (jsonSchema === undefined || jsonSchema === null) return;
  for (const wrong of checkClaims(tree, jsonSchema))
    fault(`the condition does not fit the adaptive schema of the site: ${String(wrong)}`);
}
