import { expect, it } from 'vitest';
import { slugOfFile } from '../../src/contract/specification-slug.ts';

it.each([
  ['petstore.yaml', 'petstore'],
  ['../.gitbook/assets/Pet store (1).YML', 'Pet-store-1'],
  ['C:\\api\\v1.json', 'v1'],
  ['a/openapi.json?x=/y#z', 'openapi'],
  ['https://a.test/v3/openapi.json', ''],
  ['//a.test/openapi.json', ''],
  ['__.yaml', ''],
  ['', ''],
])('makes from %j the slug %j', (address, slug) => expect(slugOfFile(address)).toBe(slug));
