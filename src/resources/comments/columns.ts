/** The columns of comments in tables. They are not in the contract, which listing anything else would load with them. */
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
