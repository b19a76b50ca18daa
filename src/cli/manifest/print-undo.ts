import type { Conflict, Undo } from '../../manifest/journal/undo-context.ts';
import type { Session } from '../session.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { valueText } from './value-text.ts';

/** Says on stderr what an undo leaves as it is, what cannot come back, and what there is to know of the rest. */
export function noteUndo(
  session: Session,
  {
    conflicts,
    lost,
    stays,
    refused,
    notes,
  }: Pick<Undo, 'conflicts' | 'lost' | 'stays' | 'refused' | 'notes'>,
): void {
  if (refused.length > 0)
    session.note(
      `warning: the journal says what no run of this lock did; it is left out:\n${refused
        .slice(0, 50)
        .map((one) => `  ${conflictText(one)}`)
        .join('\n')}`,
    );
  if (conflicts.length > 0)
    session.note(
      `Left as it is, because it is not as the run left it (--force undoes it nevertheless):\n${conflicts.map((one) => `  ${conflictText(one)}`).join('\n')}`,
    );
  if (lost.length > 0)
    session.note(
      `Cannot come back, or not as it was:\n${lost.map((sentence) => `  ${escapeControls(sentence)}`).join('\n')}`,
    );
  if (stays.length > 0)
    session.note(
      `Stays, because a run only caused it:\n${stays.map((sentence) => `  ${escapeControls(sentence)}`).join('\n')}`,
    );
  for (const sentence of notes) session.note(escapeControls(sentence));
}

/** `space.guide title was changed since: it is "C" now, and was "A"` */
export function conflictText({ address, field, why, now, was }: Conflict): string {
  const values =
    field === undefined || now === undefined
      ? ''
      : `: it is ${valueText(now)} now, and was ${valueText(was)}`;
  return escapeControls(`${address}${field === undefined ? '' : ` ${field}`} ${why}${values}`);
}
