import { fatal } from '../errors.ts';
import { binaryText } from '../diff/lines.ts';
import { encode } from '../bytes.ts';
import { formatDate } from '../history/dates.ts';
import { sanitizedSubject } from '../history/sanitized-subject.ts';
import { isTrailerFault, shownTrailers, trailerForm } from '../history/trailer-list.ts';
import { unescapeFormat } from '../history/format-escapes.ts';
import { parseSignature } from '../objects/commit.ts';
import type { ObjectType } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import type { FieldValue } from './listed-ref.ts';
import { objectText, type ObjectText } from './object-text.ts';

/** Object that a ref points to. */
export interface ListedObject {
	id: string;
	type: ObjectType;
	/** Content as binary text. */
	content: string;
}

export type ObjectField = (object: ListedObject) => FieldValue;

const NOTHING: FieldValue = { text: '' };
const words = (text: string): FieldValue => ({ text });

/** Field of an object; null for an unknown name. @throws GitError for an unknown option */
export function objectField(repository: Repository, name: string, option: string | undefined): ObjectField | null {
	const isPerson = /^(author|committer|tagger|creator)(name|email|date)?$/.exec(name);
	if (isPerson)
		return isPerson[0] === 'creatorname' || isPerson[0] === 'creatoremail'
			? null
			: personField(repository, isPerson, option);
	const field = simpleField(repository, name, option) ?? messageField(repository, name, option);
	return field;
}

function simpleField(repository: Repository, name: string, option: string | undefined): ObjectField | null {
	switch (name) {
		case 'objecttype':
			if (option !== undefined) throw fatal('%(objecttype) does not take arguments');
			return ({ type }) => words(type);
		case 'objectsize':
			if (option !== undefined && option !== 'disk') throw fatal(`unrecognized %(objectsize) argument: ${option}`);
			return ({ id, content }) => {
				const number = option === undefined ? content.length : repository.objects.storedSize(id);
				return { text: String(number), number };
			};
		case 'deltabase':
			if (option !== undefined) throw fatal('%(deltabase) does not take arguments');
			return ({ id }) => words(repository.objects.deltaBase(id));
		case 'raw':
			if (option !== undefined && option !== 'size') throw fatal(`unrecognized %(raw) argument: ${option}`);
			return ({ content }) => words(option === undefined ? content : String(content.length));
		case 'tree':
		case 'parent': {
			const form = idForm(repository, name, option);
			return (object) => (object.type === 'commit' ? words(headOf(object).headers(name).map(form).join(' ')) : NOTHING);
		}
		case 'numparent':
			return (object) => {
				if (object.type !== 'commit') return NOTHING;
				const number = headOf(object).headers('parent').length;
				return { text: String(number), number };
			};
		case 'object':
		case 'type':
		case 'tag':
			return (object) => (object.type === 'tag' ? words(headOf(object).header(name) ?? '') : NOTHING);
		default:
			return null;
	}
}

/** Form of an id: full, or abbreviated to a length. @throws GitError for an unknown form */
export function idForm(repository: Repository, field: string, option: string | undefined): (id: string) => string {
	if (option === undefined) return (id) => id;
	if (option === 'short') return (id) => repository.objects.abbreviate(id);
	const length = /^short=(.*)$/s.exec(option)?.[1];
	if (length === undefined) throw fatal(`unrecognized %(${field}) argument: ${option}`);
	if (!/^\d+$/.test(length) || Number(length) === 0)
		throw fatal(`positive value expected '${length}' in %(${field}:${option})`);
	return (id) => repository.objects.abbreviate(id, Number(length));
}

const headOf = ({ content }: ListedObject): ObjectText => objectText(content);

function personField(repository: Repository, [, who, part]: RegExpExecArray, option: string | undefined): ObjectField {
	const shown = personPart(repository, part, option);
	return (object) => {
		const head = headOf(object);
		const isCreator = who === 'creator';
		const name = isCreator ? (object.type === 'tag' ? 'tagger' : 'committer') : who!;
		const fits = object.type === 'commit' ? name !== 'tagger' : object.type === 'tag' && name === 'tagger';
		const line = fits ? head.header(name) : undefined;
		return line === undefined ? NOTHING : shown(line);
	};
}

function personPart(repository: Repository, part: string | undefined, option: string | undefined) {
	if (part === undefined || part === 'name') {
		return (line: string): FieldValue => words(part === undefined ? line : (/^(.*?) </.exec(line)?.[1] ?? ''));
	}
	if (part === 'email') {
		if (option !== undefined && option !== 'trim' && option !== 'localpart')
			throw fatal(`unrecognized email option: ${option}`);
		const pattern = { raw: /(<[^>]*>)/, trim: /<([^>]*)>/, localpart: /<([^@>]*)/ }[option ?? 'raw'];
		return (line: string): FieldValue => words(pattern.exec(line)?.[1] ?? '');
	}
	const form = option ?? 'default';
	const now = repository.files.now();
	const sample = { name: '', email: '', seconds: 0, offsetMinutes: 0 };
	if (formatDate(sample, form, now) === null) throw fatal(`unknown date format ${form}`);
	return (line: string): FieldValue => {
		const who = parseSignature(line);
		if (!/> \d/.test(line)) return { text: '', number: 0 };
		return { text: binaryText(encode(formatDate(who, form, now) ?? '')), number: who.seconds };
	};
}

function messageField(repository: Repository, name: string, option: string | undefined): ObjectField | null {
	const shown = messagePart(repository, name, option);
	if (shown === null) return null;
	return (object) => (object.type === 'commit' || object.type === 'tag' ? words(shown(headOf(object))) : NOTHING);
}

function messagePart(
	repository: Repository,
	name: string,
	option: string | undefined
): ((text: ObjectText) => string) | null {
	const oneLine = ({ subject }: ObjectText) => subject.replace(/\r\n/g, '\n').replace(/\n/g, ' ');
	if (name === 'subject') {
		if (option === 'sanitize') return ({ subject }) => sanitizedSubject(subject);
		if (option !== undefined) throw fatal(`unrecognized %(subject) argument: ${option}`);
		return oneLine;
	}
	if (name === 'body') {
		if (option !== undefined) throw fatal('%(body) does not take arguments');
		return ({ body }) => body;
	}
	if (name === 'trailers') return trailerPart(repository, option);
	if (name !== 'contents') return null;
	if (option === undefined) return ({ message }) => message;
	if (option === 'body') return ({ message, bodyStart, unsignedLength }) => message.slice(bodyStart, unsignedLength);
	if (option === 'size') return ({ message }) => String(message.length);
	if (option === 'signature') return ({ signature }) => signature;
	if (option === 'subject') return oneLine;
	if (option === 'trailers') return trailerPart(repository, undefined);
	if (option.startsWith('trailers:')) return trailerPart(repository, option.slice(9));
	const lines = /^lines=(.*)$/s.exec(option)?.[1];
	if (lines === undefined) throw fatal(`unrecognized %(contents) argument: ${option}`);
	if (!/^\d+$/.test(lines)) throw fatal(`positive value expected contents:lines=${lines}`);
	return ({ message, unsignedLength }) =>
		message.slice(0, unsignedLength).replace(/\n$/, '').split('\n').slice(0, Number(lines)).join('\n    ');
}

function trailerPart(repository: Repository, option: string | undefined): (text: ObjectText) => string {
	const form = trailerForm(option, unescapeFormat);
	if (isTrailerFault(form))
		throw fatal(
			form.invalid === null ? 'expected %(trailers:key=<value>)' : `unknown %(trailers) argument: ${form.invalid}`
		);
	return ({ message }) => shownTrailers(repository, message, form);
}
