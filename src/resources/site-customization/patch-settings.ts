import { describeViolations, violationsOf } from '../../contract/check.ts';
import type { TSchema } from '../../contract/schema.ts';
import { isRecord } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { defaultSettings } from './base.ts';
import { Settings } from './declarations.ts';
import { CustomizationInput, fieldsOf } from './schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns settings with a patch applied. Null in the patch restores the default.
 *
 * @throws Problem(invalid-input) if a value is then incomplete, such as a logo for the light theme only
 */
export function patchSettings(settings: Fields, patch: Fields): Fields {
  const patched = mergePatch(settings, patch, defaultSettings, Settings);
  const violations = violationsOf(CustomizationInput, patched, '/body');
  if (violations.length === 0) return patched;
  throw new Problem(
    'invalid-input',
    `The changed settings are not valid: ${describeViolations(violations, '/body')}.`,
    {
      violations,
      hint: 'To see all settings and their possible values, run `docsctl explain sites customization`.',
    },
  );
}

function mergePatch(settings: Fields, patch: Fields, defaults: Fields, schema: TSchema): Fields {
  const result: Record<string, unknown> = { ...settings };
  for (const [name, value] of Object.entries(patch)) {
    const usual = defaults[name];
    const inner = fieldsOf(schema)?.[name];
    if (value === null && usual === undefined) delete result[name];
    else if (value === null) result[name] = usual;
    else if (isRecord(value) && inner !== undefined && fieldsOf(inner) !== undefined)
      result[name] = mergePatch(recordOf(result[name]), value, recordOf(usual), inner);
    else if (value !== undefined) result[name] = value;
  }
  return result;
}

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
