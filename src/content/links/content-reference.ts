export type AddressedReference = Exclude<ContentReference, { readonly kind: 'tag' | 'openapi' }>;

/** The target of a link (published specification, ContentRef). Without `space`, it is in the space of the link. */
export type ContentReference =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly file: string; readonly space?: string }
  | { readonly kind: 'page'; readonly page: string; readonly space?: string }
  | { readonly kind: 'anchor'; readonly anchor: string; readonly page?: string; readonly space?: string }
  | { readonly kind: 'space'; readonly space: string }
  | { readonly kind: 'collection'; readonly collection: string }
  | { readonly kind: 'user'; readonly user: string }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'openapi'; readonly spec: string }
  | { readonly kind: 'reusable-content'; readonly reusableContent: string; readonly space?: string };
