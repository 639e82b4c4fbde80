import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';

/** Names of built-in formats. */
export const NAMED_FORMATS = [
	...['raw', 'medium', 'short', 'email', 'mboxrd', 'fuller', 'full', 'oneline', 'reference']
] as const;

/** Format of commits: a name, or a text with placeholders. */
export interface PrettyFormat {
	/** One of {@link NAMED_FORMATS}; absent for a text. */
	name: string;
	/** A newline between commits (`format:`) instead of after each (`tformat:`). */
	separated: boolean;
	/** Date format that belongs to the format. */
	date?: string;
}

/** Definition of `reference`. */
const REFERENCE: PrettyFormat = { name: '%C(auto)%h (%s, %ad)', separated: false, date: 'short' };

export const isNamed = (name: string): boolean => NAMED_FORMATS.some((one) => one === name);

/**
 * Parses `--format`/`--pretty`: a name or prefix of one, also from `pretty.<name>`, or a format string.
 *
 * @throws GitError for an unknown format
 */
export function prettyFormat({ config }: Repository, text: string): PrettyFormat {
	const literal = literalFormat(text, true);
	if (literal) return literal;
	const aliases = new Map(
		config
			.all()
			.filter(({ key }) => key.startsWith('pretty.') && !isNamed(key.slice(7)))
			.map(({ key, value }) => [key.slice(7), value])
	);
	const names = [...NAMED_FORMATS, ...aliases.keys()];
	let sought = text;
	for (let hops = 0; hops < names.length; hops++) {
		const name = shortest(names.filter((one) => one.startsWith(sought)));
		if (name === undefined) break;
		const value = aliases.get(name);
		if (value === undefined) return name === 'reference' ? REFERENCE : { name, separated: name !== 'oneline' };
		const found = literalFormat(value, false);
		if (found) return found;
		sought = value;
		if (hops === names.length - 1)
			throw fatal(`invalid --pretty format: '${text}' references an alias which points to itself`);
	}
	throw fatal(`invalid --pretty format: ${text}`);
}

/** Shortest name; of equally short ones, the first. */
function shortest(names: readonly string[]): string | undefined {
	return names.reduce<string | undefined>(
		(best, name) => (best === undefined || name.length < best.length ? name : best),
		undefined
	);
}

function literalFormat(text: string, mayBeEmpty: boolean): PrettyFormat | null {
	if (text.startsWith('format:')) return { name: text.slice(7), separated: true };
	if (text.startsWith('tformat:')) return { name: text.slice(8), separated: false };
	return text.includes('%') || (mayBeEmpty && text === '') ? { name: text, separated: false } : null;
}
