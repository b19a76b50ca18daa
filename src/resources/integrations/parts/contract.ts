import { closed, nonBlank, oneOf, optional, Type, Url } from '../../../contract/schema.ts';

/** Schemas that several integration operations share. */
export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-zA-Z0-9-_.]+$' });
export const Title = nonBlank({
  minLength: 2,
  maxLength: 30,
  description: 'title that people see, 2 to 30 characters',
});
export const Description = Type.String({
  maxLength: 100,
  description: 'what the integration does, in at most 100 characters',
});
export const Summary = Type.String({
  maxLength: 2048,
  description: 'longer text for the page of the integration',
});
const targets = ['all', 'site', 'space', 'organization'] as const;
export const Target = oneOf(targets, {
  description:
    'what the integration can be installed on; all: sites, spaces and organizations (default: all)',
});
export const TargetFilter = oneOf(targets, {
  description: 'only integrations with this target; all: only integrations for all targets',
});
export const Visibility = oneOf(['public', 'private', 'unlisted'], {
  description:
    'who can find and install the integration. public: everyone; private: only the organization that publishes it; unlisted: everyone who knows its name (default: private)',
});
const categories = [
  'analytics',
  'collaboration',
  'content',
  'gitsync',
  'marketing',
  'visitor-auth',
  'other',
] as const;
export const CategoryFilter = oneOf(categories, { description: 'only integrations of this category' });
export const Categories = Type.Array(oneOf(categories), {
  maxItems: 20,
  description: 'categories to list the integration under',
});

const scopes = [
  'space:content:read',
  'space:content:write',
  'space:metadata:read',
  'space:metadata:write',
  'space:git:sync',
  'page:feedback:read',
  'site:metadata:read',
  'site:views:read',
  'site:script:inject',
  'site:script:cookies',
  'site:visitor:auth',
  'site:visitor:claims',
  'site:adaptive:read',
  'site:adaptive:write',
  'conversations:ingest',
  'openapi:read',
  'openapi:write',
] as const;
export const ScopeFilter = oneOf(scopes, { description: 'only integrations with this scope' });
export const Scopes = Type.Array(oneOf(scopes), {
  maxItems: 50,
  description: 'what the integration may do where it is installed',
});

/** Returns the schema of a map with any keys and values of the given schema. */
export function mapOf<T>(values: object | true, options: object) {
  return Type.Unsafe<Record<string, T>>(
    Type.Object({}, { additionalProperties: values as never, ...options }),
  );
}

const Text40 = nonBlank({ minLength: 2, maxLength: 40 });
const Text150 = Type.String({ maxLength: 150 });
/** The API states no limit. Lists contain these addresses, so docsctl limits them. */
const IconAddress = Type.String({ maxLength: 2048 });
const Component = closed({ componentId: Type.String({ minLength: 1, maxLength: 255 }) });

export const Block = closed({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  title: Text40,
  ...optional({
    description: Text150,
    icon: IconAddress,
    urlUnfurl: Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 100 }),
    markdown: closed({ codeblock: Type.String({ maxLength: 100 }), body: Type.String({ maxLength: 100 }) }),
  }),
});

export const ContentSource = closed({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  title: Text40,
  description: Type.Optional(Text150),
  icon: Type.Optional(IconAddress),
  configuration: Component,
});

const labels = optional({
  title: Type.String({ maxLength: 30 }),
  description: Type.String({ maxLength: 100 }),
});
const Setting = Type.Union([
  closed({
    ...labels,
    type: Type.Literal('string'),
    ...optional({
      default: Type.String({ maxLength: 4096 }),
      completion_url: Type.String({ maxLength: 2048 }),
      enum: Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1000 }),
    }),
  }),
  closed({ ...labels, type: Type.Literal('number'), default: Type.Optional(Type.Number()) }),
  closed({ ...labels, type: Type.Literal('boolean'), default: Type.Optional(Type.Boolean()) }),
  closed({
    ...labels,
    type: Type.Literal('button'),
    callback_url: Type.String({ maxLength: 2048 }),
    button_text: Type.String({ maxLength: 100 }),
  }),
]);
const Configuration = Type.Union([
  closed({
    properties: mapOf<unknown>(Setting, { maxProperties: 100 }),
    required: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), { uniqueItems: true, maxItems: 100 }),
    ),
  }),
  Component,
]);
export const Configurations = closed(
  optional({
    account: Configuration,
    space: Configuration,
    site: Configuration,
  }),
  {
    description:
      'settings that people fill in when they install the integration, such as {"account": {"properties": {"channel": {"type": "string"}}}}',
  },
);

export const ExternalLinks = Type.Array(closed({ url: Url, label: nonBlank({ maxLength: 100 }) }), {
  maxItems: 5,
  description: 'links to show on the page of the integration',
});
export const ContentSecurityPolicy = Type.Union(
  [Type.String({ maxLength: 8192 }), mapOf<string>(Type.String({ maxLength: 2048 }), { maxProperties: 40 })],
  {
    description:
      'content security policy for the blocks and scripts of the integration, such as {"img-src": "https:"}',
  },
);

/** The query parameter that searches integrations by name and title. */
export const search = Type.Optional(
  Type.String({ maxLength: 100, description: 'only integrations whose name or title contains this text' }),
);
/** The columns of lists of the integrations of a space or site. */
export const installedColumns = ['title', 'name', 'version', 'target'];
