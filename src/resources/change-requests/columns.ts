/** The columns of change requests in tables. They are not in the contract, which listing anything else would load with them. */
export const changeRequestColumns = [
  'number',
  'subject',
  'status',
  'outdated',
  'createdBy.displayName',
  'updatedAt',
  'id',
];
