import { booleanOf } from '../config/values.ts';
import type { Repository } from '../repository.ts';
import { areTrailers } from './trailers.ts';

/** Options of `%(trailers:…)`. */
export interface TrailerForm {
	/** Names in lower case; null for all trailers. */
	keys: string[] | null;
	/** Omits other lines among the trailers. */
	only: boolean;
	/** Joins a multi-line trailer into one line. */
	unfold: boolean;
	showsKey: boolean;
	showsValue: boolean;
	separator: string | null;
	keySeparator: string | null;
}

/** Invalid argument of `%(trailers:…)`; the text is null if `key` has no value. */
export interface TrailerFault {
	invalid: string | null;
}

/**
 * Parses the part after the colon.
 *
 * @param literal expands placeholders in separators
 */
export function trailerForm(text: string | undefined, literal: (text: string) => string): TrailerForm | TrailerFault {
	const form: TrailerForm = {
		...{ keys: null, only: false, unfold: false, showsKey: true, showsValue: true },
		...{ separator: null, keySeparator: null }
	};
	for (const part of text === undefined || text === '' ? [] : text.split(',')) {
		const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(part) ?? [];
		const flag = value === undefined ? true : booleanOf(value);
		if (name === 'key') {
			if (value === undefined) return { invalid: null };
			form.keys = [...(form.keys ?? []), value.replace(/:$/, '').toLowerCase()];
			form.only = true;
		} else if (name === 'separator') form.separator = literal(value ?? '');
		else if (name === 'key_value_separator') form.keySeparator = literal(value ?? '');
		else if (flag === null) return { invalid: part };
		else if (name === 'only') form.only = flag;
		else if (name === 'unfold') form.unfold = flag;
		else if (name === 'keyonly') form.showsValue = !flag;
		else if (name === 'valueonly') form.showsKey = !flag;
		else return { invalid: part };
	}
	return form;
}

export const isTrailerFault = (form: TrailerForm | TrailerFault): form is TrailerFault => 'invalid' in form;

/** Trailer of a message, or another line of the same paragraph. */
export interface TrailerItem {
	key: string | null;
	value: string;
	raw: string;
}

/** Formats the trailers of a message; '' if it has none. */
export function shownTrailers(repository: Repository, message: string, form: TrailerForm): string {
	const { paragraph, separators } = trailerParagraph(repository, message);
	const isPlain = form.keys === null && !form.only && !form.unfold && form.separator === null;
	if (isPlain && form.showsKey && form.showsValue && form.keySeparator === null) return paragraph;
	const shown: string[] = [];
	for (const { key, value, raw } of trailerItems(paragraph, separators)) {
		if (key === null) {
			if (!form.only) shown.push(raw.replace(/\n$/, ''));
			continue;
		}
		if (form.keys !== null && !form.keys.includes(key.toLowerCase())) continue;
		const text = form.unfold ? value.replace(/\n\s*/g, ' ').trim() : value.trim();
		const parts = [...(form.showsKey ? [key] : []), ...(form.showsValue ? [text] : [])];
		shown.push(parts.join(form.keySeparator ?? ': '));
	}
	if (form.separator !== null) return shown.join(form.separator);
	return shown.map((line) => `${line}\n`).join('');
}

/** Trailers of a message, each value on one line. */
export function trailersOf(repository: Repository, message: string): { key: string; value: string }[] {
	const { paragraph, separators } = trailerParagraph(repository, message);
	return trailerItems(paragraph, separators).flatMap(({ key, value }) =>
		key === null ? [] : [{ key, value: value.replace(/\n\s*/g, ' ').trim() }]
	);
}

/** Splits a message around its trailer paragraph, which is empty if the last paragraph has no trailers. */
export function trailerParagraph(
	repository: Repository,
	message: string
): { before: string; paragraph: string; after: string; separators: string } {
	const separators = repository.config.get('trailer.separators') ?? ':';
	const trimmed = message.trimEnd();
	const text = trimmed === '' ? '' : `${trimmed}\n`;
	const after = message.slice(text.length);
	const start = /^([\s\S]*\n[ \t]*\n)/.exec(text)?.[1]?.length;
	if (start === undefined) return { before: text, paragraph: '', after, separators };
	const paragraph = text.slice(start);
	const names = repository.config.subsections('trailer').flatMap((name) => {
		const key = repository.config.get(`trailer.${name}.key`);
		return [name, ...(key === undefined ? [] : [key.replace(/[^A-Za-z0-9]+$/, '')])].map((one) => one.toLowerCase());
	});
	const isThere = areTrailers(
		paragraph.trimEnd().split('\n'),
		(name) => names.includes(name.toLowerCase()),
		separators
	);
	return isThere
		? { before: text.slice(0, start), paragraph, after, separators }
		: { before: text, paragraph: '', after, separators };
}

/** Parses the trailers of a paragraph, including other lines among them. */
export function trailerItems(paragraph: string, separators: string): TrailerItem[] {
	const items: TrailerItem[] = [];
	for (const line of paragraph.match(/[^\n]*\n/g) ?? []) {
		const last = items.at(-1);
		if (/^[ \t]/.test(line) && last?.key) {
			last.value += line;
			last.raw += line;
			continue;
		}
		const at = [...line].findIndex((letter) => separators.includes(letter));
		const key = at > 0 && /^[A-Za-z0-9-]+[ \t]*$/.test(line.slice(0, at)) ? line.slice(0, at).trim() : null;
		items.push({ key, value: key === null ? '' : line.slice(at + 1), raw: line });
	}
	return items;
}
