import { closed, Id, oneOf, Type, type Static } from '../contract/schema.ts';

/** The source of generated pages (published specification, ComputedContentSourceRevisionOpenAPI). */
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

const slug = '^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$';

/**
 * A dependency of the pages of an integration. Its state is sent to the script. When it changes, the pages are computed again.
 */
const Dependency = closed({
  ref: Type.Union([
    closed({ kind: Type.Literal('space'), space: Id }),
    closed({
      kind: Type.Literal('openapi'),
      spec: Type.String({ minLength: 1, maxLength: 100, pattern: slug }),
    }),
  ]),
});

/** The content source of an integration (published specification, ComputedContentSourceIntegration). */
export const IntegrationSource = closed({
  type: Type.String({ maxLength: 400, pattern: '^integration:[a-zA-Z0-9-_.]+:[^:\\s]+$' }),
  props: Type.Object({}, { additionalProperties: true, maxProperties: 100 }),
  dependencies: Type.Optional(
    Type.Unsafe<Readonly<Record<string, Static<typeof Dependency>>>>(
      Type.Object({}, { additionalProperties: Dependency, maxProperties: 20 }),
    ),
  ),
});
export type IntegrationSource = Static<typeof IntegrationSource>;

/** The source from which pages are computed. */
export const PageSource = Type.Union([ComputedSource, IntegrationSource]);
export type PageSource = ComputedSource | IntegrationSource;

/** Whether pages are computed from a specification and not by an integration. */
export function isFromSpecification(source: PageSource): source is ComputedSource {
  return source.type === 'builtin:openapi';
}
