import type { Call } from '#computer/shell/state/host.ts';
import { zoneOf } from '#computer/local-time/zone.ts';
import { strftime } from '../../time/strftime.ts';
import { hasPlainLocale } from '../../plain-locale.ts';
import { type Change, type Sides } from './changes.ts';
import { contextOutput } from './context-output.ts';
import { formatOutput } from './format-output.ts';
import { hunksOf } from './hunks.ts';
import { shownName } from './names.ts';
import { normalOutput } from './normal-output.ts';
import type { Operand } from './operand.ts';
import { edScript, forwardScript, rcsScript } from './script-output.ts';
import type { Settings } from './settings.ts';
import { sideBySide } from './side-by-side.ts';
import { unifiedOutput } from './unified-output.ts';

/** Formats the changes between two files in the requested format; empty if none is to be shown. */
export function outputOf(
	call: Call,
	files: readonly [Operand, Operand],
	sides: Sides,
	changes: readonly Change[],
	settings: Settings
): string {
	const { options, form, style, paint, formats } = settings;
	switch (form) {
		case 'normal':
			return normalOutput(sides, changes, style, paint);
		case 'ed':
			return edScript(sides, changes);
		case 'forward':
			return forwardScript(sides, changes);
		case 'rcs':
			return rcsScript(sides, changes);
		case 'formats':
			return formats ? formatOutput(sides, changes, formats, style) : '';
		case 'columns': {
			const common = options.has('suppress-common-lines') ? 'none' : options.has('left-column') ? 'left' : 'both';
			const { width, tab } = settings;
			return sideBySide(sides, changes, { width, common, isExpanded: style.expandedTab !== null, tab, paint });
		}
	}
	const hunks = hunksOf(sides, changes, settings.context, settings.isFunction);
	if (hunks.length === 0) return '';
	const isUnified = form === 'unified';
	const [one, other] = isUnified ? ['---', '+++'] : ['***', '---'];
	const titles = files.map((file, index) => titleOf(call, file, settings, index));
	const head = `${paint('hd', `${one} ${titles[0]}`)}\n${paint('hd', `${other} ${titles[1]}`)}\n`;
	return head + (isUnified ? unifiedOutput : contextOutput)(sides, hunks, style, paint);
}

const FULL_TIME = '%Y-%m-%d %H:%M:%S.%N %z';
const POSIX_TIME = '%a %b %e %T %Y';

/** Name and time of a file in the header of its hunks. */
function titleOf(call: Call, file: Operand, { options, form }: Settings, index: number): string {
	const label = options.all('label')[index];
	if (label !== undefined) return label;
	const ms = file.isAbsent ? 0 : (file.stat?.modifiedMs ?? Date.now());
	const format = form === 'context' && hasPlainLocale(call, 'LC_TIME') ? POSIX_TIME : FULL_TIME;
	return `${shownName(file.name)}\t${strftime(format, ms, zoneOf(call.shell.variables.exported('TZ')))}`;
}
