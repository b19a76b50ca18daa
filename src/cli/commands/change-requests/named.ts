import type { Command } from 'commander';
import { getChangeRequest } from '../../../resources/change-requests/contract.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { requiredArgument, requiredOption } from '../../composite-command.ts';
import type { Session } from '../../session/session.ts';

export interface NamedChangeRequest {
  readonly space?: string;
  readonly changeRequest?: string;
}

/** Adds the argument and the options that identify a change request. */
export function addChangeRequestArgument(command: Command): Command {
  return command
    .addArgument(requiredArgument('[change-request]', 'number or ID of the change request'))
    .addOption(requiredOption('--space <space>', 'title or ID of the space'))
    .option(
      '--change-request <change-request>',
      'number or ID of the change request, if it is not the first argument',
    );
}

/** Finds the change request of a command. @throws Problem(usage) with this example if the command names none */
export async function requireChangeRequest(
  session: Session,
  { space, changeRequest }: NamedChangeRequest,
  example: string,
): Promise<{ spaceId: string; changeRequestId: string }> {
  const hint = `Name it, for example \`${example}\`.`;
  const spaceId = await requireParam(session, ['spaceId', space], { hint });
  const changeRequestId = await requireParam(session, ['changeRequestId', changeRequest], {
    params: { spaceId },
    operationId: getChangeRequest.id,
    hint,
  });
  return { spaceId, changeRequestId };
}
