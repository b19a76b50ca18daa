import type { NounHelp } from '../../../contract/operation.ts';
import { replyOperations } from '../replies/contract.ts';

export const nounHelp: NounHelp = {
  description: 'Replies answer a comment on a change request. They are listed oldest first.',
  examples: [
    'docsctl change-requests comments replies list com_2 --space Guide --change-request 7',
    'docsctl change-requests comments replies create com_2 --space Guide --change-request 7 --text "Yes."',
  ],
};

export const { listReplies, createReply, getReply, updateReply, deleteReply } = replyOperations(
  '/spaces/:spaceId/change-requests/:changeRequestId',
  'change-requests.comments.replies',
  'change-request',
  { flags: '--space Guide --change-request 7', comment: 'com_2', reply: 'rep_2' },
);
