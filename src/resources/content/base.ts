/** The differences between the content operations of spaces, change requests and revisions. */
export const spaceBase = {
  words: 'spaces',
  whole: 'spaces.content',
  path: '/spaces/:spaceId',
  content: '/spaces/:spaceId/content',
  scope: 'space',
  name: 'space',
} as const;
export const changeRequestBase = {
  words: 'change-requests',
  whole: 'change-requests.content',
  path: '/spaces/:spaceId/change-requests/:changeRequestId',
  content: '/spaces/:spaceId/change-requests/:changeRequestId/content',
  scope: 'change-request',
  name: 'change request',
} as const;
export const revisionBase = {
  words: 'revisions',
  whole: 'revisions',
  path: '/spaces/:spaceId/revisions/:revisionId',
  content: '/spaces/:spaceId/revisions/:revisionId',
  scope: 'revision',
  name: 'revision',
} as const;
export type Base = typeof spaceBase | typeof changeRequestBase | typeof revisionBase;
