import { modeText } from '../objects/tree.ts';
import { quotePath } from '../quote-path.ts';
import { arrowName } from './arrow-name.ts';
import type { Change } from './change.ts';
import { nameText } from './lines.ts';

/** Summary such as ` create mode 100644 a.ts`, as printed by commit and merge; '' if there is nothing to report. */
export const summaryLine = (change: Change): string => nameText(summaryOf(change));

function summaryOf(change: Change): string {
	const { status, before, after } = change;
	if (status === 'A') return ` create mode ${modeText(after!.mode)} ${quotePath(after!.path)}\n`;
	if (status === 'D') return ` delete mode ${modeText(before!.mode)} ${quotePath(before!.path)}\n`;
	const modes =
		before && after && before.mode !== after.mode ? `${modeText(before.mode)} => ${modeText(after.mode)}` : '';
	if (status === 'R' || status === 'C') {
		const changed = modes === '' ? '' : ` mode change ${modes}\n`;
		return ` ${status === 'R' ? 'rename' : 'copy'} ${arrowName(change)} (${change.similarity}%)\n${changed}`;
	}
	if (status === 'U') return '';
	if (change.isRewrite)
		return ` rewrite ${quotePath(after!.path)} (${change.similarity}%)\n${modes === '' ? '' : ` mode change ${modes}\n`}`;
	return modes === '' ? '' : ` mode change ${modes} ${quotePath(after!.path)}\n`;
}
