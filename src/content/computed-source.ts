import { closed, oneOf, Type, type Static } from '../contract/schema.ts';

/** What pages are generated from (published specification, ComputedContentSourceRevisionOpenAPI). */
export const ComputedSource = closed({
  type: Type.Literal('builtin:openapi'),
  props: closed({
    models: Type.Boolean(),
    downloadLink: Type.Optional(Type.Boolean()),
    grouping: Type.Optional(oneOf(['by-tag', 'by-operation'])),
  }),
  dependencies: closed({
    spec: closed({
      ref: closed({
        kind: Type.Literal('openapi'),
        spec: Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$' }),
      }),
    }),
  }),
});
export type ComputedSource = Static<typeof ComputedSource>;
