/** Short options of ripgrep that take a value. */
const SHORT_VALUES = 'ABCEMdefgjmrtT';
/** Long options whose value is the next word. */
const LONG_VALUES = new Set(
	(
		'after-context before-context color colors context context-separator dfa-size-limit encoding engine ' +
		'field-context-separator field-match-separator file generate glob hostname-bin hyperlink-format iglob ' +
		'ignore-file max-columns max-count max-depth max-filesize path-separator pre pre-glob regexp ' +
		'regex-size-limit replace sort sortr threads type type-add type-clear type-not'
	).split(' ')
);

/** Returns whether these arguments of `rg` name no path, so that it searches piped input. */
export function searchesInput(args: readonly string[]): boolean {
	let operands = 0;
	let pattern = true;
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (arg === '--') {
			operands += args.length - index - 1;
			break;
		}
		if (arg.startsWith('--')) {
			const [name = '', value] = arg.slice(2).split('=', 2);
			if (/^(files|type-list|version|help|pcre2-version|generate)$/.test(name)) return false;
			if (name === 'regexp' || name === 'file') pattern = false;
			if (LONG_VALUES.has(name) && value === undefined) index++;
			continue;
		}
		if (!/^-./.test(arg)) {
			operands++;
			continue;
		}
		for (let at = 1; at < arg.length; at++) {
			const letter = arg[at] ?? '';
			if (letter === 'h' || letter === 'V') return false;
			if (!SHORT_VALUES.includes(letter)) continue;
			if (letter === 'e' || letter === 'f') pattern = false;
			if (at === arg.length - 1) index++;
			break;
		}
	}
	return operands <= (pattern ? 1 : 0) && (operands > 0 || !pattern);
}
