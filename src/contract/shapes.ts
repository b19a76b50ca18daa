import { areRichNodes } from './rich-nodes.ts';
import { closed, custom, Id, nullable, oneOf, optional, Type, Url, withNullWord } from './schema.ts';
import { isRecord } from './values.ts';

/** Roles from highest to lowest. Each role includes the rights of those after it (docs/api-operations.md, Conventions 4). */
export const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export type Role = (typeof roles)[number];

export const RoleOrGuest = withNullWord(
  nullable(oneOf(roles), {
    description: 'role in the organization; guests can open only what they have a permission on',
  }),
  'guest',
);
/** Default level for content: a role, null for none, or "inherit". */
export const DefaultLevel = nullable(oneOf([...roles, 'inherit']), {
  description:
    'role of members on this content instead of their role in the organization; inherit: the default level of the collection that contains it; permissions of members and teams override this level',
});

export const languages =
  'en fr de es it pt pt-br ru ja zh zh-tw yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl'.split(
    ' ',
  );
export const Language = oneOf(languages, {
  description: 'code of the language of the content, such as fr or pt-br',
});

export const contentVisibilities = [
  'public',
  'unlisted',
  'share-link',
  'visitor-auth',
  'in-collection',
  'private',
] as const;
export const siteVisibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;

/** Maximum number of top-level blocks of a rich document. */
const maxBlocks = 10_000;

/** A rich document (Conventions 6). On the command line, a field of this type takes Markdown. */
export const RichDocument = custom<RichDocumentValue>(
  'RichDocument',
  {
    type: 'object',
    format: 'rich-document',
    required: ['object', 'data', 'nodes'],
    properties: {
      object: { type: 'string', const: 'document' },
      data: { type: 'object', properties: { schemaVersion: { type: 'integer' } } },
      nodes: { type: 'array', items: { type: 'object' }, maxItems: maxBlocks },
      meta: { type: 'object', properties: { token: { type: 'string' } } },
    },
    additionalProperties: false,
    description: 'formatted text',
  },
  (value) =>
    isRecord(value) &&
    value['object'] === 'document' &&
    isRecord(value['data']) &&
    (value['data']['schemaVersion'] === undefined || Number.isInteger(value['data']['schemaVersion'])) &&
    Array.isArray(value['nodes']) &&
    value['nodes'].length <= maxBlocks &&
    areRichNodes(value['nodes']) &&
    (value['meta'] === undefined ||
      (isRecord(value['meta']) && ['string', 'undefined'].includes(typeof value['meta']['token']))) &&
    Object.keys(value).every((key) => ['object', 'data', 'nodes', 'meta'].includes(key)),
);

export interface RichNode {
  readonly object: 'block' | 'inline' | 'text' | 'leaf' | 'fragment';
  readonly type?: string;
  readonly key?: string;
  readonly isVoid?: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly nodes?: readonly RichNode[];
  readonly [more: string]: unknown;
}

export interface RichDocumentValue {
  readonly object: 'document';
  readonly data: { readonly schemaVersion?: number; readonly [more: string]: unknown };
  readonly nodes: readonly RichNode[];
  readonly meta?: { readonly token?: string };
}

/** Embedded user (Conventions 9). */
export const User = closed({
  object: Type.Literal('user'),
  id: Id,
  displayName: Type.String({ description: 'full name' }),
  email: Type.Optional(Type.String({ description: 'email address' })),
  photoURL: Type.Optional({ ...Url, description: 'address of a picture of the user' }),
  urls: closed({ location: Url }),
});

/** Merge rules (Conventions 8; rule names in the published specification). */
export const MergeRules = Type.Unsafe<MergeRulesValue>(
  Type.Union(
    [
      closed({ type: oneOf(['inherit', 'none']) }),
      closed({
        type: Type.Literal('rules'),
        rules: Type.Array(
          closed({
            rule: oneOf([
              'require_specific_reviewers',
              'require_one_of_specific_reviewers',
              'allow_bypass',
              'require_at_least_one_review',
              'require_at_least_one_approved_review',
              'require_all_reviews_approved',
              'require_agent_review',
              'require_up_to_date_change_request',
              'require_change_request_subject',
              'require_change_request_description',
              'require_author_to_merge',
            ]),
            users: Type.Optional(Type.Array(Id, { maxItems: 100 })),
          }),
          { maxItems: 50 },
        ),
      }),
    ],
    { description: 'what a change request needs before it can be merged' },
  ),
);
/** The merge rules that name members. The others name nobody. */
export const rulesAboutMembers: readonly string[] = [
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'allow_bypass',
];
export type MergeRulesValue =
  | { type: 'inherit' | 'none' }
  | { type: 'rules'; rules: { rule: string; users?: string[] }[] };

/** Where to put a space or collection among its siblings. */
export const ContentPosition = closed(
  optional({
    before: contentReference('space or collection that it is put before'),
    after: contentReference('space or collection that it is put after'),
  }),
  { description: 'position among the spaces and collections at the same level' },
);

function contentReference(description: string) {
  return Type.Union(
    [
      closed({ type: Type.Literal('space'), space: Id }),
      closed({ type: Type.Literal('collection'), collection: Id }),
    ],
    { description },
  );
}

export const Icon = Type.String({ maxLength: 50, description: 'name of an icon, such as code or book-open' });
/** How lists of members can be sorted. */
export const memberOrder = oneOf(['joinedAt', 'lastSeenAt', 'name'], {
  default: 'joinedAt',
  description: 'field to sort by (default: joinedAt); lastSeenAt leaves out members who were never seen',
});

/** Direction of a sorted list. */
export const Order = oneOf(['asc', 'desc'], {
  default: 'desc',
  description: 'sort direction (default: desc)',
});

/** What an operator can record about an organization. */
export const organizationTypes = ['business', 'community'] as const;
export const plans = ['free', 'plus', 'pro', 'internal'] as const;
export const trialStatuses = ['notapplicable', 'none', 'active', 'ended', 'expired'] as const;
