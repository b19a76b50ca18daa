import { commentOperations } from '../contract.ts';

export const { listComments, createComment, getComment, updateComment, deleteComment, listCommenters } =
  commentOperations('/spaces/:spaceId', 'spaces.comments', 'space', 'a space');
