import { closed, Id, nullable, oneOf, Type, type Static } from '../contract/schema.ts';
import {
  coverHeights,
  coverMasks,
  coverSizes,
  layoutFlags,
  layoutWidths,
  maxVariableLength,
} from '../contract/page-layout.ts';

const flag = Type.Boolean();
const space = Type.Optional(Id);
const UrlReference = closed({
  kind: Type.Literal('url'),
  url: Type.String({ minLength: 1, maxLength: 2048 }),
});

/** A reference to an image: a file of any space, or a URL. */
export const ImageReference = Type.Union([
  closed({ kind: Type.Literal('file'), file: Id, space }),
  UrlReference,
]);

/** A reference to a page of any space, or to a URL. */
export const PageLinkReference = Type.Union([
  closed({ kind: Type.Literal('page'), page: Id, space }),
  UrlReference,
]);

const optional = Type.Optional(flag);
type LayoutFlag = (typeof layoutFlags)[number];
const eachFlag = <T>(schema: T) =>
  Object.fromEntries(layoutFlags.map((name) => [name, schema])) as Record<LayoutFlag, T>;

/** The layout of a page (published specification, RevisionPageLayoutOptions). */
export const PageLayoutFields = {
  width: oneOf(layoutWidths),
  cover: flag,
  coverSize: oneOf(coverSizes),
  coverMask: oneOf(coverMasks),
  ...eachFlag(flag),
};

/** A variable: a text, a number or a boolean. */
const Variable = Type.Union([Type.String({ maxLength: maxVariableLength }), Type.Number(), Type.Boolean()]);

/** A tag of a page. */
export const PageTag = closed({
  tag: closed({ kind: Type.Literal('tag'), tag: Type.String({ minLength: 1, maxLength: 100 }), space }),
  primary: optional,
});

const coverHeight = Type.Number({ minimum: coverHeights.min, maximum: coverHeights.max });

/** The cover of a page in answers. */
export const PageCover = closed({
  ref: Type.Optional(ImageReference),
  refDark: Type.Optional(ImageReference),
  yPos: Type.Number(),
  height: Type.Optional(coverHeight),
});

/** Links of a page to its canonical page and to other versions of it. */
export const MetaLinks = closed({
  canonical: Type.Optional(PageLinkReference),
  alternates: Type.Optional(Type.Array(PageLinkReference)),
});

/**
 * The settings of a page in a change. Missing fields are not changed; null and empty lists remove a setting. They are written to
 * the front matter.
 */
export const settingFields = {
  layout: Type.Optional(
    closed({
      width: Type.Optional(PageLayoutFields.width),
      cover: optional,
      coverSize: Type.Optional(PageLayoutFields.coverSize),
      coverMask: Type.Optional(PageLayoutFields.coverMask),
      ...eachFlag(optional),
    }),
  ),
  cover: Type.Optional(
    nullable(
      closed({
        ref: Type.Optional(nullable(ImageReference)),
        refDark: Type.Optional(nullable(ImageReference)),
        yPos: Type.Optional(Type.Number()),
        height: Type.Optional(coverHeight),
      }),
    ),
  ),
  variables: Type.Optional(
    nullable(
      Type.Record(Type.String({ pattern: '^.{1,256}$' }), Variable, {
        maxProperties: 200,
        additionalProperties: false,
      }),
    ),
  ),
  metaLinks: Type.Optional(
    nullable(
      closed({
        canonical: Type.Optional(nullable(PageLinkReference)),
        alternates: Type.Optional(Type.Array(PageLinkReference, { maxItems: 100 })),
      }),
    ),
  ),
  tags: Type.Optional(Type.Array(PageTag, { maxItems: 100 })),
};

const SettingFields = closed(settingFields);
export type SettingFields = Static<typeof SettingFields>;

/** Whether a change contains a setting. */
export function hasSettings<C extends object>(change: C): change is C & SettingFields {
  return Object.keys(settingFields).some((name) => name in change);
}
