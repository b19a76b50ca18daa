import { describe, expect, it } from 'vitest';
import { describeWithOptions } from '../../../src/cli/help/option-names.ts';
import { noContent, operation } from '../../../src/contract/operation.ts';
import { closed, nullable, Type } from '../../../src/contract/schema.ts';
import { RoleOrGuest } from '../../../src/contract/shapes.ts';

const described = (description: string) =>
  describeWithOptions(
    operation({
      id: 'things.update',
      route: 'PATCH /things/:thingId',
      summary: 'Change a thing',
      description,
      access: 'none.caller',
      query: { orderBy: Type.Optional(Type.String()) },
      body: closed({
        draft: Type.Optional(Type.Boolean()),
        icon: Type.Optional(nullable(Type.String())),
        role: Type.Optional(RoleOrGuest),
        spaceId: Type.Optional(Type.String()),
        position: Type.Optional(Type.String()),
      }),
      returns: noContent(),
      cli: {
        flags: ['before', 'after'].map((name) => ({
          name,
          value: 'THING',
          summary: '',
          template: { position: { [name]: '$' } },
        })),
      },
    }),
  );

describe('the description of a command', () => {
  it.each([
    ['With `orderBy`, they are sorted.', 'With --order-by, they are sorted.'],
    ['`draft: false` shows it, `draft: true` hides it.', '`--no-draft` shows it, `--draft` hides it.'],
    ['`icon: null` removes it.', '`--unset icon` removes it.'],
    ['`role: null` is a guest, `role: read` a reader.', '`--role guest` is a guest, `--role read` a reader.'],
    ['Without `position` and `spaceId`.', 'Without --before or --after and --space.'],
    ['`other` is no field.', '`other` is no field.'],
  ])('uses options instead of fields: %s', (text, expected) => {
    expect(described(text)).toBe(expected);
  });
});
