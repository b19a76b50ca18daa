/**
 * The columns of change requests in tables. They have their own file so that lists of other resources do not load the contract.
 */
export const changeRequestColumns = [
  'number',
  'subject',
  'status',
  'outdated',
  'createdBy.displayName',
  'updatedAt',
  'id',
];
