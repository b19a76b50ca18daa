/** The columns of comments in tables. They have their own file so that lists of other resources do not load the contract. */
export const commentColumns = [
  'postedBy.displayName',
  'body.markdown',
  'target.page.id=page',
  'target.node.id=node',
  'status',
  'replies',
  'postedAt',
  'id',
];
