import { expect, it } from 'vitest';
import { describeMistake } from '../../src/specification/describe-mistake.ts';

const responses = ['paths', '/a', 'get', 'responses'];
const unknown = 'must NOT have additional properties: x is not expected to be here!';

it.each<[message: string, node: unknown, pointer: string[], words: string | undefined]>([
  [
    "must have required property 'info'",
    {},
    [],
    'the specification needs "info": add it with a title and a version',
  ],
  [
    "must have required property 'version'",
    {},
    ['info'],
    '"info" needs "version": add the version of the API, such as "1.0.0"',
  ],
  [
    "must have required property 'description'",
    {},
    [...responses, '200'],
    'a response needs "description": add a text such as "OK"',
  ],
  [
    "must have required property 'responses'",
    {},
    ['paths', '/a', 'get'],
    'an operation needs "responses": add it with at least one response, such as "200"',
  ],
  ["must have required property 'kind'", {}, ['x', 'y'], 'an object needs "kind": add it'],
  [
    unknown,
    'List',
    ['paths', '/a', 'get', 'sumary'],
    '"sumary" is not a field of an operation: did you mean "summary"?',
  ],
  [
    unknown,
    {},
    ['paths', '/a', 'fetch'],
    '"fetch" is not an HTTP method: use one of get, put, post, delete, options, head, patch, trace',
  ],
  [unknown, {}, [...responses, 'ok'], '"ok" is not a status code: use 100 to 599, 1XX to 5XX, or "default"'],
  [
    unknown,
    1,
    ['paths', '/a', 'get', 'qqqqqq'],
    '"qqqqqq" is not a field of an operation: correct its name, remove it, or begin its name with "x-"',
  ],
  [
    unknown,
    1,
    ['definitions', 'Pet', 'type'],
    '"type" does not fit here: check whether the reference to this object leads to the right one',
  ],
  [
    'must NOT have unevaluated properties',
    1,
    ['x', 'y'],
    '"y" is not a field of this object: correct its name, remove it, or begin its name with "x-"',
  ],
  [
    'must be equal to one of the allowed values (array, string): Did you mean string here?',
    'strin',
    ['x'],
    '"strin" is not allowed here: write string, or one of array',
  ],
  [
    'must be equal to one of the allowed values (array, string)',
    7,
    ['x'],
    '7 is not allowed here: use one of array, string',
  ],
  [
    'must be array',
    'pets',
    ['paths', '/a', 'get', 'tags'],
    '"tags" must be a list, and is the text "pets": write "- " in front of each item',
  ],
  [
    'must be array',
    true,
    ['components', 'schemas', 'A', 'required'],
    '"required" of a schema is a list: write the names of the required properties beside "properties", such as [id]',
  ],
  ['must be object', null, ['paths'], 'this must be an object with fields, and is empty'],
  [
    'must be string',
    ['string', 'null'],
    ['components', 'schemas', 'A', 'type'],
    'a list of types needs OpenAPI 3.1: write one type and "nullable: true", or set "openapi" to "3.1.0"',
  ],
  ['must be boolean', 'yes', ['deprecated'], '"deprecated" must be true or false, and is the text "yes"'],
  [
    '`/paths/a/{b}/get` is missing path parameter(s) for `{b}` and `{c}`',
    {},
    [],
    'the path has {b} and {c}, which no parameter describes: add a parameter with "in: path" and "required: true" for each',
  ],
  [
    '`/paths/a/post` has a path parameter named `foo`, but there is no corresponding `{foo}` in the path string',
    {},
    [],
    'the path does not have {foo}: add it to the path, or remove the path parameter "foo"',
  ],
  [
    'The operationId `users` is duplicated and must be made unique',
    {},
    [],
    'another operation has the operationId "users" too: give each its own',
  ],
  [
    '`/components/securitySchemes/key` has an invalid `type`: `apikey`. Must be one of: `apiKey`, `http`',
    {},
    [],
    '"apikey" is not allowed here: write apiKey, or one of http',
  ],
  ['must match pattern "^x-"', {}, [], undefined],
])('rewrites the message "%s" about %j at %j', (message, node, pointer, words) => {
  expect(describeMistake(message, node, pointer)).toBe(words);
});
