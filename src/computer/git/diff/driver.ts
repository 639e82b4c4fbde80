import { fatal } from '../errors.ts';
import { lineRegex } from '../history/regex.ts';
import type { Repository } from '../repository.ts';
import { booleanOf } from '../config/values.ts';
import { Attributes, type AttributePlace } from '../worktree/attributes.ts';
import { LANGUAGES, type HeadingRule } from './languages.ts';
import { whitespaceRule, type WhitespaceRule } from './whitespace-rule.ts';

/** Settings for comparing files of one kind, from the attribute `diff` and `diff.<driver>.*`. */
export interface DiffDriver {
	/** Treats files as binary, or as text, regardless of their content; null to detect it. */
	isBinary: boolean | null;
	headings: readonly HeadingRule[];
	/** Patterns for words, if the driver defines them. */
	words: readonly RegExp[] | null;
}

const PLAIN: DiffDriver = {
	isBinary: null,
	headings: [{ take: /^[A-Za-z_$].*/ }],
	words: null
};

/** Additional words in every language: any non-whitespace character, and multibyte characters. */
const ANY_WORD = ['[^ \\t\\n\\r\\v\\f]', '[\\xc0-\\xff][\\x80-\\xbf]+'];

/** Drivers and whitespace rules of the files of a repository. */
export class DiffDrivers {
	readonly #attributes: Attributes;
	readonly #byName = new Map<string, DiffDriver>();
	readonly #rules = new Map<string, WhitespaceRule>();

	constructor(
		private readonly repository: Repository,
		place?: AttributePlace
	) {
		this.#attributes = new Attributes(repository, place);
	}

	of(path: string): DiffDriver {
		const state = this.#attributes.get(path, 'diff');
		if (state === undefined) return this.#named('default');
		if (state === true) return { ...PLAIN, isBinary: false };
		if (state === false) return { ...PLAIN, isBinary: true };
		return this.#named(state);
	}

	/** Name of the diff driver that the attributes assign to a path; null if none. */
	nameFor(path: string): string | null {
		const state = this.#attributes.get(path, 'diff');
		return typeof state === 'string' ? state : null;
	}

	whitespace(path: string): WhitespaceRule {
		const attribute = this.#attributes.get(path, 'whitespace');
		const key = String(attribute);
		let rule = this.#rules.get(key);
		if (!rule) this.#rules.set(key, (rule = whitespaceRule(attribute, this.repository.config.get('core.whitespace'))));
		return rule;
	}

	/** Length of a conflict marker from the attribute `conflict-marker-size`, if set. */
	markerSize(path: string): number | null {
		const size = Number(this.#attributes.get(path, 'conflict-marker-size'));
		return Number.isInteger(size) && size > 0 ? size : null;
	}

	#named(name: string): DiffDriver {
		let driver = this.#byName.get(name);
		if (!driver) this.#byName.set(name, (driver = this.#configured(name)));
		return driver;
	}

	#configured(name: string): DiffDriver {
		const { config } = this.repository;
		const setting = (key: string) => config.get(`diff.${name}.${key}`);
		const language = LANGUAGES[name];
		const given = config
			.all()
			.filter(({ key }) => key === `diff.${name}.funcname` || key === `diff.${name}.xfuncname`)
			.at(-1);
		const words = setting('wordregex');
		const binary = setting('binary');
		return {
			isBinary: binary === undefined || binary === 'auto' ? null : (booleanOf(binary) ?? null),
			headings: given
				? headingRules(given.value, given.key.endsWith('.xfuncname'))
				: (language?.headings ?? PLAIN.headings),
			words:
				words !== undefined
					? [wordRegex(words)]
					: language
						? [...language.words, ...ANY_WORD].map((source) => new RegExp(source, 'y'))
						: null
		};
	}
}

/** Compiles a pattern for words. */
export const wordRegex = (text: string): RegExp => new RegExp(lineRegex(text, 'extended', false).source, 'gm');

/**
 * Parses patterns for headings, one per line; a `!` prefix excludes matches. @throws GitError if the last one is
 * negated
 */
function headingRules(text: string, isExtended: boolean): HeadingRule[] {
	const lines = text.split('\n');
	if (lines.at(-1)?.startsWith('!')) throw fatal(`Last expression must not be negated: ${lines.at(-1)}`);
	return lines.map((line) => {
		const regex = lineRegex(line.replace(/^!/, ''), isExtended ? 'extended' : 'basic', false);
		return line.startsWith('!') ? { never: regex } : { take: regex };
	});
}

const LONGEST_HEADING = 80;

/** Heading taken from a line; null if the line is not a heading. */
export function headingOf(line: string, rules: readonly HeadingRule[]): string | null {
	const text = line.replace(/\n$/, '');
	for (const rule of rules) {
		if ('never' in rule) {
			if (rule.never.test(text)) return null;
			continue;
		}
		const found = rule.take.exec(text);
		if (found)
			return (found[1] ?? found[0])
				.replace(/[ \t\r\n]+$/, '')
				.slice(0, LONGEST_HEADING)
				.replace(/[ \t\r\n]+$/, '');
	}
	return null;
}
