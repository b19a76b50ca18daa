import { expect, it } from 'vitest';
import { resolveIdentifiers } from '../../src/specification/resolve-identifiers.ts';

it('references to the $id of a schema become pointers, but not those to an $id of the whole document', () => {
  const document = (b: string, a: object = {}) => ({
    openapi: '3.1.0',
    $id: 'https://a.example/all',
    components: {
      schemas: {
        A: { type: 'string', ...a },
        B: { $ref: b },
        // OpenAPI has no such field. The reference stays, so that the check of the specification can report it.
        C: { $ref: 'https://a.example/all#/components/schemas/A' },
      },
    },
  });
  const resolved = document('#/components/schemas/A');
  expect(resolveIdentifiers(document('https://b.example/a', { $id: 'https://b.example/a' }))).toEqual(
    resolved,
  );
});

it('a specification without names is returned unchanged', () => {
  const document = { openapi: '3.1.0', $id: 'https://a.example/all', paths: {} };
  expect(resolveIdentifiers(document)).toBe(document);
});
