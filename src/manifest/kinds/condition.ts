import { checkCondition } from '../../conditions/check-condition.ts';
import type { ClaimSchema } from '../../conditions/claims.ts';
import { ConditionError, parseCondition } from '../../conditions/parse-condition.ts';
import type { Field } from '../kind.ts';
import type { Shape } from '../read/shape.ts';

/** Who sees something: an expression, which fits the visitor schema of its site where the manifest states that. */
export function conditionField(shape: Shape): Field {
  return {
    shape,
    default: null,
    check: (value, above, fault) => {
      const tree = parseCondition(String(value));
      if (tree instanceof ConditionError) return fault(`the condition is not valid: ${String(tree)}`);
      const { jsonSchema } = (above('site', 'adaptive') ?? {}) as { jsonSchema?: ClaimSchema | null };
      if (jsonSchema === undefined || jsonSchema === null) return;
      for (const wrong of checkCondition(tree, jsonSchema))
        fault(`the condition does not fit the visitor schema of the site: ${String(wrong)}`);
    },
  };
}
