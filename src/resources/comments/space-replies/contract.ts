import { replyOperations } from '../replies/contract.ts';

export const { listReplies, createReply, getReply, updateReply, deleteReply } = replyOperations(
  '/spaces/:spaceId',
  'spaces.comments.replies',
  'space',
);
