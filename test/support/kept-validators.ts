import { createRequire } from 'node:module';
import type { Ajv } from 'ajv';

// @readme/openapi-parser compiles the schema of OpenAPI for each specification that it checks, which takes 5% of the time of
// the suite. docsctl checks each specification in a process of its own, but tests check many in one: this reuses validators.

type Validator = new (...args: never[]) => Ajv;
const own = createRequire(import.meta.url);
const load = createRequire(own.resolve('@readme/openapi-parser')) as (name: string) => { default: Validator };

const shared = globalThis as { keepsValidators?: boolean };
if (shared.keepsValidators !== true) {
  shared.keepsValidators = true;
  for (const name of ['ajv-draft-04', 'ajv/dist/2020.js']) keepCompiled(load(name).default.prototype as Ajv);
}

/** Makes the first validator of a schema check all values of this schema. */
function keepCompiled(prototype: Ajv): void {
  const validators = new WeakMap<object, Ajv>();
  const validate = prototype.validate as (this: Ajv, schema: object | string, value: unknown) => boolean;
  prototype.validate = function validateWithKept(this: Ajv, schema: object | string, value: unknown) {
    // A name refers to a schema of this validator.
    if (typeof schema === 'string') return validate.call(this, schema, value);
    const validator = validators.get(schema) ?? this;
    validators.set(schema, validator);
    const isValid = validate.call(validator, schema, value);
    this.errors = validator.errors ?? null;
    return isValid;
  } as Ajv['validate'];
}
