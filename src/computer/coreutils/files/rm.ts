import { isAffirmed } from '../question.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { Removal } from './removal.ts';

const SPECIFICATION =
	'r|R|recursive f|force d|dir v|verbose i I interactive=? one-file-system preserve-root=? no-preserve-root -presume-input-tty';
const WHEN: Record<string, 'never' | 'once' | 'always'> = {
	...{ never: 'never', no: 'never', none: 'never', once: 'once', always: 'always', yes: 'always' }
};
/** Number of operands that `-I` removes without a prompt. */
const MOST_UNASKED = 3;

/** `rm`. Removes links themselves, never their targets. */
export const rm = utility(SPECIFICATION, async (call, options) => {
	const interactive = interactivity(options);
	const { operands } = options;
	if (operands.length === 0) {
		if (options.last('f', 'i', 'I', 'interactive') === 'f') return 0;
		throw new UsageError('missing operand');
	}
	if (interactive === 'once' && (options.has('r') || operands.length > MOST_UNASKED)) {
		const count = `${operands.length} argument${operands.length === 1 ? '' : 's'}`;
		if (!(await isAffirmed(call, `remove ${count}${options.has('r') ? ' recursively' : ''}? `))) return 0;
	}
	const removal = new Removal(call, {
		recursive: options.has('r'),
		emptyDirectories: options.has('d'),
		verbose: options.has('v'),
		asks: interactive === 'always',
		forces: options.last('f', 'i') === 'f',
		ignoresMissing: options.has('f'),
		keepsRoot: options.last('preserve-root', 'no-preserve-root') !== 'no-preserve-root',
		hasTerminal: options.has('-presume-input-tty')
	});
	for (const name of operands) await removal.removeOperand(name);
	return removal.status;
});

/** @throws UsageError */
function interactivity(options: Options): 'never' | 'once' | 'always' {
	let when: 'never' | 'once' | 'always' = 'never';
	for (const { name, value } of options.given) {
		if (name === 'i') when = 'always';
		if (name === 'I') when = 'once';
		if (name === 'f') when = 'never';
		if (name !== 'interactive') continue;
		const found = Object.keys(WHEN).filter((word) => word.startsWith(value || 'always'));
		const meanings = new Set(found.map((word) => WHEN[word]));
		if (meanings.size !== 1)
			throw new UsageError(
				`${meanings.size ? 'ambiguous' : 'invalid'} argument '${value}' for '--interactive'\nValid arguments are:\n` +
					"  - 'never', 'no', 'none'\n  - 'once'\n  - 'always', 'yes'",
				true
			);
		[when = 'never'] = [...meanings];
	}
	return when;
}
