import { errorsOf, unionBranch, ValueErrorType } from './check.ts';
import type { TSchema } from './schema.ts';

/** Whether a value lacks fields that its schema requires, or has fields that are not in it. */
export function hasOtherFields(schema: TSchema, value: unknown): boolean {
  for (const error of errorsOf(schema, value)) {
    if (error.type === ValueErrorType.ObjectAdditionalProperties) return true;
    if (error.type === ValueErrorType.ObjectRequiredProperty) return true;
    const branch = error.type === ValueErrorType.Union ? unionBranch(error) : undefined;
    if (branch !== undefined && hasOtherFields(branch, error.value)) return true;
  }
  return false;
}
