import type { NounHelp } from '../../../contract/operation.ts';
import { commentOperations } from '../contract.ts';

export const nounHelp: NounHelp = {
  description:
    'Comments are posted on a space or on one of its pages. Members can reply to a comment, react to it and resolve it.',
  examples: [
    'docsctl spaces comments list Guide --status open',
    'docsctl spaces comments create Guide --text "Who owns this space?"',
  ],
};

export const { listComments, createComment, getComment, updateComment, deleteComment, listCommenters } =
  commentOperations('/spaces/:spaceId', 'spaces.comments', 'space', {
    place: 'a space',
    subject: 'Guide',
    flags: '--space Guide',
    comment: 'com_1',
  });
