import type { Expander, Expansion } from './expansion.ts';
import { MakeFailure } from './failure.ts';
import { parted, replacePattern, stemOf, suffixAt, words } from './names.ts';
import { MakeVariables } from './variables.ts';

/** A function of make: gets its arguments as they are written. */
type MakeFunction = (scope: Expansion, parts: string[], expander: Expander) => Promise<string>;

/** Function whose arguments are expanded first. `count`: the last one takes the rest, including commas. */
const plain =
	(count: number, run: (scope: Expansion, ...values: string[]) => string | Promise<string>): MakeFunction =>
	async (scope, parts, { expand }) => {
		const joined = [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')];
		const values: string[] = [];
		for (const part of joined) values.push(await expand(scope, part));
		return run(scope, ...values);
	};

/** Function that is applied to each word. */
const each = (change: (word: string) => string | null): MakeFunction =>
	plain(1, (_scope, text = '') =>
		words(text)
			.map(change)
			.filter((word) => word !== null)
			.join(' ')
	);

const fits = (patterns: string, word: string) => words(patterns).some((pattern) => stemOf(pattern, word) !== null);

/** The variables with some more over them, for the time of one expansion. */
const within = (scope: Expansion, values: Record<string, string>): Expansion => {
	const variables = new MakeVariables(scope.variables);
	for (const [name, value] of Object.entries(values)) {
		variables.set(name, { value, recursive: false, origin: 'automatic' });
	}
	return { ...scope, variables };
};

const existing = (scope: Expansion, text: string) =>
	words(text)
		.map((name) => scope.absolute(name))
		.filter((name) => scope.exists(name))
		.join(' ');

/** The functions of GNU make, by name. */
export const functions: Record<string, MakeFunction> = {
	subst: plain(3, (_scope, from = '', to = '', text = '') =>
		from === '' ? text + to : text.replaceAll(from, () => to)
	),
	patsubst: plain(3, (_scope, from = '', to = '', text = '') =>
		words(text)
			.map((word) => replacePattern(from.trim(), to.trim(), word))
			.join(' ')
	),
	strip: plain(1, (_scope, text = '') => words(text).join(' ')),
	findstring: plain(2, (_scope, part = '', text = '') => (text.includes(part) ? part : '')),
	filter: plain(2, (_scope, patterns = '', text = '') =>
		words(text)
			.filter((word) => fits(patterns, word))
			.join(' ')
	),
	'filter-out': plain(2, (_scope, patterns = '', text = '') =>
		words(text)
			.filter((word) => !fits(patterns, word))
			.join(' ')
	),
	sort: plain(1, (_scope, text = '') => [...new Set(words(text))].sort().join(' ')),
	word: plain(2, (_scope, number = '', text = '') => words(text)[Number(number) - 1] ?? ''),
	wordlist: plain(3, (_scope, first = '', last = '', text = '') =>
		words(text)
			.slice(Number(first) - 1, Number(last))
			.join(' ')
	),
	words: plain(1, (_scope, text = '') => String(words(text).length)),
	firstword: plain(1, (_scope, text = '') => words(text)[0] ?? ''),
	lastword: plain(1, (_scope, text = '') => words(text).at(-1) ?? ''),
	dir: each((name) => parted(name)[0]),
	notdir: each((name) => parted(name)[1]),
	suffix: each((name) => name.slice(suffixAt(name)) || null),
	basename: each((name) => name.slice(0, suffixAt(name))),
	addsuffix: plain(2, (_scope, suffix = '', text = '') =>
		words(text)
			.map((word) => word + suffix)
			.join(' ')
	),
	addprefix: plain(2, (_scope, prefix = '', text = '') =>
		words(text)
			.map((word) => prefix + word)
			.join(' ')
	),
	join: plain(2, (_scope, first = '', second = '') => {
		const [left, right] = [words(first), words(second)];
		const length = Math.max(left.length, right.length);
		return Array.from({ length }, (_, at) => (left[at] ?? '') + (right[at] ?? '')).join(' ');
	}),
	wildcard: plain(1, (scope, text = '') =>
		words(text)
			.flatMap((pattern) => scope.glob(pattern))
			.join(' ')
	),
	realpath: plain(1, existing),
	abspath: plain(1, (scope, text = '') =>
		words(text)
			.map((name) => scope.absolute(name))
			.join(' ')
	),
	shell: plain(1, (scope, command = '') => scope.shell(command)),
	origin: plain(1, (scope, name = '') => scope.variables.find(name)?.origin ?? 'undefined'),
	flavor: plain(1, (scope, name = '') => {
		const variable = scope.variables.find(name);
		return variable ? (variable.recursive ? 'recursive' : 'simple') : 'undefined';
	}),
	value: plain(1, (scope, name = '') => scope.variables.find(name)?.value ?? ''),
	eval: plain(1, async (scope, text = '') => {
		await scope.evaluate(text);
		return '';
	}),
	error: plain(1, (scope, text = '') => {
		throw new MakeFailure(`${text}.  Stop.`, scope.place());
	}),
	warning: plain(1, async (scope, text = '') => {
		await scope.warn(`${scope.place()}${text}\n`);
		return '';
	}),
	info: plain(1, async (scope, text = '') => {
		await scope.say(`${text}\n`);
		return '';
	}),
	if: async (scope, [condition = '', then = '', ...otherwise], { expand }) =>
		(await expand(scope, condition.trim())) === '' ? expand(scope, otherwise.join(',')) : expand(scope, then),
	or: async (scope, parts, { expand }) => {
		for (const part of parts) {
			const value = await expand(scope, part.trim());
			if (value !== '') return value;
		}
		return '';
	},
	and: async (scope, parts, { expand }) => {
		let value = '';
		for (const part of parts) {
			value = await expand(scope, part.trim());
			if (value === '') return '';
		}
		return value;
	},
	foreach: async (scope, [name = '', list = '', ...body], { expand }) => {
		const variable = (await expand(scope, name)).trim();
		const results: string[] = [];
		for (const word of words(await expand(scope, list))) {
			results.push(await expand(within(scope, { [variable]: word }), body.join(',')));
		}
		return results.join(' ');
	},
	call: async (scope, parts, { expand, valueOf }) => {
		const values: string[] = [];
		for (const part of parts) values.push(await expand(scope, part));
		const name = (values[0] ?? '').trim();
		const given = Object.fromEntries(values.map((value, index) => [String(index), index === 0 ? name : value]));
		return valueOf(within(scope, given), name);
	}
};
