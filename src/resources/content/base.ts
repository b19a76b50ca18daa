/** Where a family of content operations lies: under a space, or under a change request of a space. */
export const spaceBase = { words: 'spaces', path: '/spaces/:spaceId', scope: 'space' } as const;
export const changeRequestBase = { words: 'change-requests', path: '/spaces/:spaceId/change-requests/:changeRequestId', scope: 'change-request' } as const;
export type Base = typeof spaceBase | typeof changeRequestBase;
