import { expect, it } from 'vitest';
import { describeJsonError } from '../../../src/cli/input/json-error.ts';

it.each([
  ['{\n  "a": 1,\n}\n', 'm.json, line 2, column 9: not valid JSON: remove the comma before }'],
  ['[",]", 2, ]', 'm.json, line 1, column 9: not valid JSON: remove the comma before ]'],
  ['{"a": \n', 'm.json, line 1, column 6: not valid JSON: the text ends too early'],
  ['{\n  a: 1}', "m.json, line 2, column 3: not valid JSON: Expected property name or '}'"],
])('describeJsonError reports the position of the mistake in %j', (text, expected) => {
  let said = '';
  try {
    JSON.parse(text);
  } catch (error) {
    said = describeJsonError('m.json', text, error);
  }
  expect(said).toBe(expected);
});
