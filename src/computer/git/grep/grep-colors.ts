import { slotColor } from '../color-choice.ts';
import type { Config } from '../config/config.ts';

const SLOTS = {
	context: '',
	filename: 'magenta',
	function: '',
	linenumber: 'green',
	column: 'green',
	matchcontext: 'bold red',
	matchselected: 'bold red',
	selected: '',
	separator: 'cyan'
};

/** Escape sequences for the parts of a result. */
export type GrepColors = Readonly<Record<keyof typeof SLOTS, string>>;

/** Colors from the settings. @throws GitError for an invalid color */
export function grepColors(config: Config): GrepColors {
	const found: Record<string, string> = {};
	const both = config.get('color.grep.match');
	for (const [slot, usual] of Object.entries(SLOTS))
		found[slot] = slotColor({ config }, 'grep', slot, (slot.startsWith('match') ? both : undefined) ?? usual);
	return found as GrepColors;
}
