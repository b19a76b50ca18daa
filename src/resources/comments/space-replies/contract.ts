import type { NounHelp } from '../../../contract/operation.ts';
import { replyOperations } from '../replies/contract.ts';

export const nounHelp: NounHelp = {
  description: 'Replies answer a comment on a space. They are listed oldest first.',
  examples: [
    'docsctl spaces comments replies list com_1 --space Guide',
    'docsctl spaces comments replies create com_1 --space Guide --text "Yes."',
  ],
};

export const { listReplies, createReply, getReply, updateReply, deleteReply } = replyOperations(
  '/spaces/:spaceId',
  'spaces.comments.replies',
  'space',
  { flags: '--space Guide', comment: 'com_1', reply: 'rep_1' },
);
