import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { trailerItems, trailerParagraph, type TrailerItem } from './trailer-list.ts';

const PLACES = ['end', 'start', 'after', 'before'] as const;
const IF_EXISTS = ['addIfDifferentNeighbor', 'addIfDifferent', 'add', 'replace', 'doNothing'] as const;
const IF_MISSING = ['add', 'doNothing'] as const;

/** Rules for adding a trailer. */
export interface TrailerRules {
	where: (typeof PLACES)[number];
	ifExists: (typeof IF_EXISTS)[number];
	ifMissing: (typeof IF_MISSING)[number];
}

/** Settings of `trailer.<name>`. */
interface Kind extends TrailerRules {
	name: string;
	key: string | null;
	/** Command whose output is the value; `$ARG` is replaced by the given value. */
	command: string | null;
	/** Command that gets the given value as its argument. */
	cmd: string | null;
}

/** Trailer to add. */
interface Added {
	key: string;
	value: string;
	kind: Kind;
}

/** Finds a word of a list, ignoring case; null if it is not in the list. */
export function trailerRule<Word extends string>(words: readonly Word[], text: string): Word | null {
	return words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? null;
}

/** Values of the rules, by their names in options and settings. */
export const TRAILER_RULES = { where: PLACES, ifExists: IF_EXISTS, ifMissing: IF_MISSING } as const;

/** Adds trailers to messages, as in git-interpret-trailers(1). */
export class TrailerEditor {
	readonly #kinds: Kind[];
	readonly #usual: TrailerRules;
	readonly #separators: string;

	/** @throws GitError for an invalid setting */
	constructor(private readonly git: Invocation) {
		const { config } = git.repository;
		this.#separators = config.get('trailer.separators') ?? ':';
		this.#usual = rulesOf(git, 'trailer', { where: 'end', ifExists: 'addIfDifferentNeighbor', ifMissing: 'add' });
		this.#kinds = config.subsections('trailer').map((name) => ({
			name,
			...rulesOf(git, `trailer.${name}`, this.#usual),
			key: config.get(`trailer.${name}.key`) ?? null,
			command: config.get(`trailer.${name}.command`) ?? null,
			cmd: config.get(`trailer.${name}.cmd`) ?? null
		}));
	}

	/**
	 * Adds trailers to a message, given as `Key: value` or `key=value`.
	 *
	 * @param given trailers, each with rules that override the settings
	 */
	add(message: string, given: readonly { text: string; rules: Partial<TrailerRules> }[]): string {
		const { paragraph, before, after } = trailerParagraph(this.git.repository, message);
		const items = trailerItems(paragraph, this.#separators);
		for (const added of this.#additions(given)) this.#apply(items, added);
		const lines = items.map((item) => this.line(item)).join('');
		if (lines === '') return message;
		const gap = paragraph !== '' || before === '' || before.endsWith('\n\n') ? '' : '\n';
		return `${before}${gap}${lines}${after}`;
	}

	/** Formats a trailer, or another line among the trailers. */
	line({ key, value, raw }: TrailerItem): string {
		if (key === null) return raw.endsWith('\n') ? raw : `${raw}\n`;
		const isMarked = this.#separators.includes(key.trimEnd().at(-1) ?? '\0');
		return isMarked ? `${key}${value.trim()}\n` : `${key}${this.#separators[0]} ${value.trim()}\n`;
	}

	#additions(given: readonly { text: string; rules: Partial<TrailerRules> }[]): Added[] {
		const standing = this.#kinds.filter(({ command }) => command !== null);
		const added: Added[] = standing.map((kind) => ({ key: kind.key ?? kind.name, value: '', kind }));
		for (const { text, rules } of given) {
			const [, before = '', after] = this.#split(text) ?? [];
			const key = before.trim();
			if (key === '') {
				this.git.err(`error: empty trailer token in trailer '${text.trim()}'\n`);
				continue;
			}
			const known = this.#kinds.find(
				(kind) => sameKey(kind.name, key) || (kind.key !== null && sameKey(kind.key, key))
			);
			const kind = known ?? { name: key, key: null, command: null, cmd: null, ...this.#usual };
			added.push({ key: kind.key ?? key, value: (after ?? '').trim(), kind: { ...kind, ...rules } });
		}
		return added;
	}

	/** Splits a trailer from the command line, where `=` is a separator too. */
	#split(text: string): readonly string[] | null {
		const at = [...text].findIndex((letter) => `=${this.#separators}`.includes(letter));
		const isName = at > 0 && /^[A-Za-z0-9-]+[ \t]*$/.test(text.slice(0, at));
		if (at === 0) return null;
		return isName ? [text, text.slice(0, at), text.slice(at + 1)] : [text, text, ''];
	}

	#apply(items: TrailerItem[], added: Added): void {
		const { where, ifExists, ifMissing } = added.kind;
		const isBehind = where === 'after' || where === 'end';
		const places = items.map((_, at) => at);
		const order = isBehind ? places.reverse() : places;
		const same = order.find((at) => items[at]!.key !== null && sameKey(items[at]!.key!, added.key));
		if (same === undefined) {
			if (ifMissing === 'doNothing') return;
			items.splice(isBehind ? items.length : 0, 0, this.#made(added, ''));
			return;
		}
		if (ifExists === 'doNothing') return;
		const neighbor = where === 'after' || where === 'before' ? same : isBehind ? items.length - 1 : 0;
		const made = this.#made(added, items[same]!.value.trim());
		const isEqual = ({ key, value }: TrailerItem) =>
			key !== null && sameKey(key, made.key!) && value.trim().toLowerCase() === made.value.trim().toLowerCase();
		if (ifExists === 'addIfDifferentNeighbor' && isEqual(items[neighbor]!)) return;
		const checked = isBehind ? items.slice(0, same + 1) : items.slice(same);
		if (ifExists === 'addIfDifferent' && checked.some(isEqual)) return;
		const place = isBehind ? neighbor + 1 : neighbor;
		items.splice(place, 0, made);
		if (ifExists === 'replace') items.splice(same < place ? same : same + 1, 1);
	}

	#made({ key, value, kind }: Added, old: string): TrailerItem {
		const text = kind.command === null && kind.cmd === null ? value : this.#output(kind, value || old);
		return { key, value: text, raw: '' };
	}

	/** Runs the command of a kind and returns its output. */
	#output({ command, cmd }: Kind, value: string): string {
		const { git } = this;
		const line = cmd ?? command!.replaceAll('$ARG', () => value);
		const argv = cmd === null ? ['sh', '-c', line] : ['sh', '-c', `${line} "$@"`, line, value];
		git.flush();
		const result = git.context.sync.run({ argv, cwd: git.repository.root, env: git.env, stdin: 'null' });
		if (result.code === 0) return decode(result.stdout).trimEnd();
		git.err(`error: running trailer command '${line}' failed\n`);
		return '';
	}
}

function rulesOf({ repository }: Invocation, prefix: string, usual: TrailerRules): TrailerRules {
	const read = <Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word => {
		const key = `${prefix}.${name.toLowerCase()}`;
		const text = repository.config.get(key);
		if (text === undefined) return otherwise;
		const word = trailerRule(words, text);
		if (word === null) throw fatal(`unknown value '${text}' for key '${key}'`);
		return word;
	};
	return {
		where: read('where', PLACES, usual.where),
		ifExists: read('ifExists', IF_EXISTS, usual.ifExists),
		ifMissing: read('ifMissing', IF_MISSING, usual.ifMissing)
	};
}

/** Checks whether one name is a prefix of the other, ignoring case and trailing separators. */
function sameKey(a: string, b: string): boolean {
	const [left, right] = [a, b].map((text) => text.replace(/[^A-Za-z0-9]+$/, '').toLowerCase());
	const length = Math.min(left!.length, right!.length);
	return left!.slice(0, length) === right!.slice(0, length);
}
