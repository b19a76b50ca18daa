import type { NounHelp } from '../../../contract/operation.ts';
import { commentOperations } from '../contract.ts';

export const nounHelp: NounHelp = {
  description:
    'Comments are posted on a change request or on one of its pages. Members can reply to a comment, react to it and resolve it.',
  examples: [
    'docsctl change-requests comments list 7 --space Guide --status open',
    'docsctl change-requests comments create 7 --space Guide --text "Is this still true?"',
  ],
};

export const { listComments, createComment, getComment, updateComment, deleteComment, listCommenters } =
  commentOperations(
    '/spaces/:spaceId/change-requests/:changeRequestId',
    'change-requests.comments',
    'change-request',
    {
      place: 'a change request',
      subject: '7 --space Guide',
      flags: '--space Guide --change-request 7',
      comment: 'com_2',
    },
  );
