import { replyOperations } from '../replies/contract.ts';

export const { listReplies, createReply, getReply, updateReply, deleteReply } = replyOperations(
  '/spaces/:spaceId/change-requests/:changeRequestId',
  'change-requests.comments.replies',
  'change-request',
);
