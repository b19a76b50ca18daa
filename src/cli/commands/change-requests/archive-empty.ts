import { updateChangeRequest } from '../../../resources/change-requests/contract.ts';
import type { Session } from '../../session/session.ts';

/** Archives a new change request whose content could not be sent, even after an interruption. */
export async function archiveEmpty(
  session: Session,
  params: { spaceId: string; changeRequestId: string },
): Promise<void> {
  const api = await session.api();
  await api
    .call(updateChangeRequest, { params, body: { status: 'archived' } })
    .catch(() => session.note('warning: an empty change request remains.'));
}
