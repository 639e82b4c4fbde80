import type { HereDocument, Redirection, RedirectionOperator } from '../ast/nodes.ts';
import type { Cursor } from './cursor.ts';
import { ShellSyntaxError } from './error.ts';
import { decodeEscapes } from './escapes.ts';
import { readParts, readWord } from './word.ts';

const OPERATOR =
	/(?:([0-9]+)|\{([A-Za-z_]\w*(?:\[[^\]\s]*\])?)\})?(<<<|<<-|<<|>>|>&|<&|<>|>\||<(?!\()|>(?!\())|(&>>|&>)/y;
const OPERATORS: readonly RedirectionOperator[] = [
	'<',
	'>',
	'>>',
	'>&',
	'<&',
	'<>',
	'>|',
	'&>',
	'&>>',
	'<<<',
	'<<',
	'<<-'
];

const MOST_DESCRIPTOR = 2 ** 31 - 1;

/** Parses a redirection, if there is one here. @throws ShellSyntaxError */
export function readRedirection(cursor: Cursor): Redirection | null {
	const found = cursor.match(OPERATOR);
	if (!found) return null;
	const [whole, number, fdVariable = null] = found;
	const operator = OPERATORS.find((known) => known === (found[3] ?? found[4]));
	// A number that no descriptor can have is a separate word.
	if (!operator || Number(number ?? 0) > MOST_DESCRIPTOR) return null;
	cursor.endAliases();
	cursor.at += whole.length;
	cursor.blanks();
	const fd = number === undefined ? null : Number(number);
	if (operator === '<<' || operator === '<<-') {
		return { fd, fdVariable, operator, target: announceDocument(cursor, operator === '<<-') };
	}
	const target = readWord(cursor);
	if (!target) cursor.fail(true);
	return { fd, fdVariable, operator, target };
}

/** Maximum number of pending here-documents. */
const MOST_DOCUMENTS = 16;

function announceDocument(cursor: Cursor, stripTabs: boolean): HereDocument {
	if (cursor.pending.length >= MOST_DOCUMENTS)
		throw new ShellSyntaxError('maximum here-document count exceeded', false, cursor.line, 'shell');
	const from = cursor.at;
	if (!readWord(cursor)) cursor.fail(true);
	const written = cursor.source.slice(from, cursor.at);
	const quoted = /['"\\]/.test(written);
	const document: HereDocument = {
		type: 'HereDocument',
		delimiter: quoted ? unquote(written) : written,
		quoted,
		text: '',
		content: { type: 'Word', parts: [] }
	};
	cursor.pending.push({ document, stripTabs, line: cursor.line });
	return document;
}

const unquote = (text: string): string =>
	text.replace(
		/\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|\$?"((?:[^"\\]|\\[^])*)"|\\([^])/g,
		(_whole, escaped?: string, single?: string, double?: string, char?: string) =>
			escaped === undefined
				? (single ?? double?.replace(/\\(?:([$`"\\])|\n)/g, '$1') ?? (char === '\n' ? '' : char) ?? '')
				: decodeEscapes(escaped)
	);

/** Sets a here-document's content from its text. */
export function fillDocument(cursor: Cursor, document: HereDocument, line: number): void {
	document.content = { type: 'Word', parts: [{ type: 'SingleQuoted', value: document.text }] };
	if (document.quoted) return;
	const inner = cursor.within(document.text, line);
	try {
		document.content = { type: 'Word', parts: readParts(inner, 'document', '') };
	} catch (error) {
		if (!(error instanceof ShellSyntaxError)) throw error;
		// The script is valid so far: only the command that uses the text fails.
		document.fault = { message: error.message, line: error.line };
		document.content = { type: 'Word', parts: [] };
	}
}
