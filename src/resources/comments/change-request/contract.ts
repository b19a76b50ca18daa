import { commentOperations } from '../contract.ts';

export const { listComments, createComment, getComment, updateComment, deleteComment, listCommenters } =
  commentOperations(
    '/spaces/:spaceId/change-requests/:changeRequestId',
    'change-requests.comments',
    'change-request',
    'a change request',
  );
