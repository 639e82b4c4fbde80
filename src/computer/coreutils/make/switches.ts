import { Options, parseOptions } from '../options.ts';

/** Options of make. */
export interface Switches {
	makesAlways: boolean;
	environmentWins: boolean;
	ignoresErrors: boolean;
	keepsGoing: boolean;
	isDryRun: boolean;
	asksOnly: boolean;
	touches: boolean;
	isSilent: boolean;
	hasRules: boolean;
	hasVariables: boolean;
	/** undefined: determined by `-C` or a parent make. */
	saysDirectory: boolean | undefined;
	warnsOfUndefined: boolean;
	includes: string[];
	directories: string[];
	makefiles: string[];
	/** Files treated as just changed, and as old. */
	newFiles: string[];
	oldFiles: string[];
	texts: string[];
	jobs: string | null;
}

export const SPECIFICATION =
	'f|file|makefile= C|directory= n|just-print|dry-run|recon s|silent|quiet B|always-make k|keep-going ' +
	'i|ignore-errors q|question t|touch e|environment-overrides j|jobs=? l|load-average|max-load=? O|output-sync=? ' +
	'r|no-builtin-rules R|no-builtin-variables S|no-keep-going|stop w|print-directory no-print-directory v|version ' +
	'I|include-dir= W|what-if|new-file|assume-new= o|old-file|assume-old= debug=? d p|print-data-base b m h|help ' +
	'warn-undefined-variables no-silent E|eval= L|check-symlink-times trace jobserver-auth= jobserver-fds=';

/** Switches before any options are applied. */
export const noSwitches = (): Switches => ({
	...{ makesAlways: false, environmentWins: false, ignoresErrors: false, keepsGoing: false, isDryRun: false },
	...{ asksOnly: false, touches: false, isSilent: false, hasRules: true, hasVariables: true },
	...{ saysDirectory: undefined, warnsOfUndefined: false, includes: [], directories: [], makefiles: [] },
	...{ newFiles: [], oldFiles: [], texts: [], jobs: null }
});

const SIMPLE: Record<string, (switches: Switches) => void> = {
	B: (to) => (to.makesAlways = true),
	e: (to) => (to.environmentWins = true),
	i: (to) => (to.ignoresErrors = true),
	k: (to) => (to.keepsGoing = true),
	S: (to) => (to.keepsGoing = false),
	n: (to) => (to.isDryRun = true),
	q: (to) => (to.asksOnly = true),
	t: (to) => (to.touches = true),
	s: (to) => (to.isSilent = true),
	'no-silent': (to) => (to.isSilent = false),
	r: (to) => (to.hasRules = false),
	R: (to) => (to.hasRules = to.hasVariables = false),
	w: (to) => (to.saysDirectory = true),
	'no-print-directory': (to) => (to.saysDirectory = false),
	'warn-undefined-variables': (to) => (to.warnsOfUndefined = true)
};

const LISTS: Record<string, 'includes' | 'directories' | 'makefiles' | 'newFiles' | 'oldFiles' | 'texts'> = {
	...{ I: 'includes', C: 'directories', f: 'makefiles', W: 'newFiles', o: 'oldFiles', E: 'texts' }
};

/** Applies options to the switches. */
export function apply(switches: Switches, options: Options): void {
	for (const { name, value } of options.given) {
		SIMPLE[name]?.(switches);
		const list = LISTS[name];
		if (list && !switches[list].includes(value)) switches[list].push(value);
		if (name === 'j') switches.jobs = value;
	}
}

/** Applies the options of `MAKEFLAGS` or `GNUMAKEFLAGS`. @returns its assignments, as words */
export function applyFlags(switches: Switches, text: string): string[] {
	const words = unquoted(text.trim());
	if (words.length === 0) return [];
	const [first = ''] = words;
	if (!first.startsWith('-') && !first.includes('=')) words[0] = `-${first}`;
	const known = words.filter((word) => word !== '-' && word !== '--');
	const assignments = known.filter((word) => !word.startsWith('-') && word.includes('='));
	const rest = known.filter((word) => !assignments.includes(word) && !/^-[fC]/.test(word));
	try {
		const options = parseOptions(rest, SPECIFICATION);
		const inherited = options.given.filter(({ name }) => !['f', 'C', 'W', 'o'].includes(name));
		apply(switches, new Options(inherited, []));
	} catch {
		// Invalid options in the environment do not prevent a run.
	}
	return assignments;
}

/** Splits the words of a variable: a backslash escapes a blank. */
function unquoted(text: string): string[] {
	const words = text.match(/(?:\\[^]|[^\s\\])+/g) ?? [];
	return words.map((word) => word.replace(/\\([^])/g, '$1').replaceAll('$$', '$'));
}

/** Value of `MAKEFLAGS` without assignments: letters first, then options with values. */
export function flagsText(switches: Switches): string {
	const letters = [
		...(switches.makesAlways ? ['B'] : []),
		...(switches.environmentWins ? ['e'] : []),
		...(switches.ignoresErrors ? ['i'] : []),
		...(switches.keepsGoing ? ['k'] : []),
		...(switches.isDryRun ? ['n'] : []),
		...(switches.asksOnly ? ['q'] : []),
		...(switches.hasRules ? [] : ['r']),
		...(switches.hasVariables ? [] : ['R']),
		...(switches.isSilent ? ['s'] : []),
		...(switches.touches ? ['t'] : []),
		...(switches.saysDirectory === true ? ['w'] : [])
	].join('');
	const long = [
		...switches.includes.map((directory) => `-I${directory}`),
		...(switches.jobs === null ? [] : [`-j${switches.jobs}`]),
		...(switches.saysDirectory === false ? ['--no-print-directory'] : []),
		...switches.texts.map((text) => `--eval=${text.replace(/[\s\\]/g, '\\$&').replaceAll('$', '$$$$$$$$')}`),
		...(switches.warnsOfUndefined ? ['--warn-undefined-variables'] : [])
	];
	return [letters, ...long].join(' ');
}
