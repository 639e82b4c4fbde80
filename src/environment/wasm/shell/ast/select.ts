/**
 * `select` is unknown to the parser: it is written as the loop it is, over the builtin that shows the menu.
 * Only what stands where a command may begin is taken for one. A script with here-documents is left as it is:
 * their text must not change.
 */
export function withoutSelect(source: string): string {
	if (!source.includes('select ') || /(^|[^<])<<(?!<)/.test(source)) return source;
	return source.replace(
		/(^|[;&|({]|\b(?:do|then|else)\b)([ \t]*)select[ \t]+([A-Za-z_]\w*)(?:[ \t]+in[ \t]+([^;\n]*))?[ \t]*(?:;|\n)\s*do\b/gm,
		(_whole, before: string, space: string, variable: string, words: string | undefined) =>
			`${before}${space}${SELECT}_SHOWN=; while ${SELECT} ${variable} ${words ?? '"$@"'}; do`
	);
}

/** What {@link withoutSelect} has rewritten, as it was written. */
export const withSelect = (source: string): string =>
	source.replace(/__select_SHOWN=; while __select (\w+) (.*?); do/g, 'select $1 in $2; do');

/** The builtin's name, which nobody types. */
export const SELECT = '__select';
