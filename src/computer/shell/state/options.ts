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
	vi: '',
	history: '',
	ignoreeof: '',
	'interactive-comments': '',
	keyword: 'k',
	nolog: '',
	onecmd: 't',
	physical: 'P',
	privileged: 'p'
} as const;

/** Builtins that POSIX calls special: in POSIX mode functions cannot hide them, and assignments before them persist. */
export const SPECIAL_BUILTINS: ReadonlySet<string> = new Set(
	'. : break continue eval exec exit export readonly return set shift source times trap unset'.split(' ')
);

export type SetOption = keyof typeof SET_OPTIONS;
export type SetOptions = Record<SetOption, boolean>;

export const SHOPT_NAMES = [
	'autocd',
	'assoc_expand_once',
	'cdable_vars',
	'cdspell',
	'checkhash',
	'checkjobs',
	'checkwinsize',
	'cmdhist',
	'compat31',
	'compat32',
	'compat40',
	'compat41',
	'compat42',
	'compat43',
	'compat44',
	'complete_fullquote',
	'direxpand',
	'dirspell',
	'dotglob',
	'execfail',
	'expand_aliases',
	'extdebug',
	'extglob',
	'extquote',
	'failglob',
	'force_fignore',
	'globasciiranges',
	'globskipdots',
	'globstar',
	'gnu_errfmt',
	'histappend',
	'histreedit',
	'histverify',
	'hostcomplete',
	'huponexit',
	'inherit_errexit',
	'interactive_comments',
	'lastpipe',
	'lithist',
	'localvar_inherit',
	'localvar_unset',
	'login_shell',
	'mailwarn',
	'no_empty_cmd_completion',
	'nocaseglob',
	'nocasematch',
	'noexpand_translation',
	'nullglob',
	'patsub_replacement',
	'progcomp',
	'progcomp_alias',
	'promptvars',
	'restricted_shell',
	'shift_verbose',
	'sourcepath',
	'varredir_close',
	'xpg_echo'
] as const;
/** Options enabled in a shell that runs a script. */
export const DEFAULT_SHOPT = [
	'checkwinsize',
	'cmdhist',
	'complete_fullquote',
	'extquote',
	'force_fignore',
	'globasciiranges',
	'globskipdots',
	'hostcomplete',
	'interactive_comments',
	'patsub_replacement',
	'progcomp',
	'promptvars',
	'sourcepath'
] as const satisfies readonly (typeof SHOPT_NAMES)[number][];
export type ShoptName = (typeof SHOPT_NAMES)[number];

export function initialOptions(): SetOptions {
	const options = Object.fromEntries(Object.keys(SET_OPTIONS).map((name) => [name, false]));
	return { ...emptyOptions, ...options, hashall: true, braceexpand: true, 'interactive-comments': true };
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
	vi: false,
	history: false,
	ignoreeof: false,
	'interactive-comments': true,
	keyword: false,
	nolog: false,
	onecmd: false,
	physical: false,
	privileged: false
};

export const isSetOption = (name: string): name is SetOption => name in SET_OPTIONS;
export const isShopt = (name: string): name is ShoptName => SHOPT_NAMES.some((known) => known === name);

export function optionOfLetter(letter: string): SetOption | undefined {
	for (const [name, known] of Object.entries(SET_OPTIONS)) if (known === letter && isSetOption(name)) return name;
	return undefined;
}

/** bash's order of the letters. */
const LETTERS = 'abefhikmnprtuvxBCEHPTcs';

/** Value of `$-`. @param others letters that are not options: `i`, and `c` or `s` for the source of commands */
export function optionLetters(options: SetOptions, others: string): string {
	const set: string[] = Object.entries(SET_OPTIONS).flatMap(([name, letter]) =>
		letter !== '' && isSetOption(name) && options[name] ? [letter] : []
	);
	return [...LETTERS].filter((letter) => set.includes(letter) || others.includes(letter)).join('');
}
