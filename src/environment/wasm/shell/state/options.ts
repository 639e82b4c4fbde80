/** `set -o` names with their letters. */
export const SET_OPTIONS = {
	errexit: 'e',
	nounset: 'u',
	xtrace: 'x',
	pipefail: '',
	noglob: 'f',
	noclobber: 'C',
	allexport: 'a',
	noexec: 'n',
	verbose: 'v',
	monitor: 'm',
	errtrace: 'E',
	functrace: 'T',
	hashall: 'h',
	braceexpand: 'B',
	histexpand: 'H',
	notify: 'b',
	posix: '',
	emacs: '',
	vi: ''
} as const;

export type SetOption = keyof typeof SET_OPTIONS;
export type SetOptions = Record<SetOption, boolean>;

export const SHOPT_NAMES = [
	'nullglob',
	'dotglob',
	'globstar',
	'extglob',
	'failglob',
	'nocaseglob',
	'nocasematch',
	'lastpipe',
	'expand_aliases',
	'inherit_errexit',
	'globskipdots',
	'autocd',
	'cdspell',
	'checkwinsize',
	'cmdhist',
	'histappend',
	'sourcepath',
	'xpg_echo',
	'interactive_comments',
	'login_shell',
	'progcomp',
	'promptvars'
] as const;
export type ShoptName = (typeof SHOPT_NAMES)[number];

export function initialOptions(): SetOptions {
	const options = Object.fromEntries(Object.keys(SET_OPTIONS).map((name) => [name, false]));
	return { ...emptyOptions, ...options, hashall: true, braceexpand: true };
}

const emptyOptions: SetOptions = {
	errexit: false,
	nounset: false,
	xtrace: false,
	pipefail: false,
	noglob: false,
	noclobber: false,
	allexport: false,
	noexec: false,
	verbose: false,
	monitor: false,
	errtrace: false,
	functrace: false,
	hashall: true,
	braceexpand: true,
	histexpand: false,
	notify: false,
	posix: false,
	emacs: false,
	vi: false
};

export const isSetOption = (name: string): name is SetOption => name in SET_OPTIONS;
export const isShopt = (name: string): name is ShoptName => SHOPT_NAMES.some((known) => known === name);

export function optionOfLetter(letter: string): SetOption | undefined {
	for (const [name, known] of Object.entries(SET_OPTIONS)) if (known === letter && isSetOption(name)) return name;
	return undefined;
}

/** The order in which bash gives them. */
const LETTERS = 'abefhikmnptuvxBCEHPTcs';

/** `$-`. @param others letters that are no options: `i`, and `c` or `s` for where the commands come from */
export function optionLetters(options: SetOptions, others: string): string {
	const set: string[] = Object.entries(SET_OPTIONS).flatMap(([name, letter]) =>
		letter !== '' && isSetOption(name) && options[name] ? [letter] : []
	);
	return [...LETTERS].filter((letter) => set.includes(letter) || others.includes(letter)).join('');
}
