import type { Repository } from '../repository.ts';
import type { FieldValue, ListedRef } from './listed-ref.ts';
import type { RefFields } from './ref-fields.ts';
import { compareVersions } from './version-order.ts';

interface Key {
	isBackwards: boolean;
	values: ReadonlyMap<ListedRef, FieldValue>;
	compare: (a: FieldValue, b: FieldValue) => number;
}

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const order = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Sorts refs by fields, in reverse with a leading `-`; the last field given is the primary key. A detached HEAD
 * comes first.
 */
export function sortRefs(
	repository: Repository,
	rows: readonly ListedRef[],
	keys: readonly string[],
	fields: RefFields,
	ignoresCase = false
): ListedRef[] {
	const read = keys.map((key) => readKey(repository, rows, key, fields, ignoresCase)).reverse();
	const name = ({ name: text }: ListedRef) => (ignoresCase ? lower(text) : text);
	return [...rows].sort((a, b) => {
		const heads = Number(b.description !== undefined) - Number(a.description !== undefined);
		if (heads !== 0) return heads;
		for (const { isBackwards, values, compare } of read) {
			const found = compare(values.get(a)!, values.get(b)!);
			if (found !== 0) return isBackwards ? -found : found;
		}
		return order(name(a), name(b));
	});
}

function readKey(
	repository: Repository,
	rows: readonly ListedRef[],
	text: string,
	fields: RefFields,
	ignoresCase: boolean
): Key {
	const [, minus = '', version, name = ''] = /^(-?)((?:version|v):)?(.*)$/s.exec(text) ?? [];
	const field = fields.field(name);
	const values = new Map(rows.map((ref) => [ref, field(ref)]));
	if (version !== undefined) {
		const { config } = repository;
		const suffixes = config.values('versionsort.suffix');
		const chosen = suffixes.length > 0 ? suffixes : config.values('versionsort.prereleasesuffix');
		return { isBackwards: minus !== '', values, compare: (a, b) => compareVersions(a.text, b.text, chosen) };
	}
	const shown = ({ text: value }: FieldValue) => (ignoresCase ? lower(value) : value);
	const isNumber = NUMBERS.test(name);
	return {
		isBackwards: minus !== '',
		values,
		compare: isNumber ? (a, b) => order(a.number ?? 0, b.number ?? 0) : (a, b) => order(shown(a), shown(b))
	};
}

/** Fields that are sorted numerically. */
const NUMBERS = /^\*?(?:objectsize|numparent|(?:author|committer|tagger|creator)date)(?::|$)/;
