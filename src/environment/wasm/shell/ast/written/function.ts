import type { FunctionDefinition } from '../nodes.ts';
import { withSelect } from '../select.ts';
import { Printer } from './print.ts';
import { readAndOr, readList } from './read.ts';
import { Reader, Unreadable } from './reader.ts';
import type { Written } from './nodes.ts';

/** The text in which each function was defined, as far as its statement reaches. */
const sources = new WeakMap<FunctionDefinition, string>();

/** Remembers the statement that defines a function, so that it can be shown. */
export function rememberSource(definition: FunctionDefinition, source: string): void {
	sources.set(definition, source);
}

/** A function as `declare -f` prints it, without a line end behind it. */
export function printFunction(definition: FunctionDefinition): string {
	return `${definition.name} () \n${print(definition, 'function')}`;
}

/** A function as the environment carries it to another bash: `() {  …}`. */
export function exportFunction(definition: FunctionDefinition): string {
	return `() ${print(definition, 'exported').replace(/^\{ \n/, '{ ')}`;
}

function print(definition: FunctionDefinition, layout: 'function' | 'exported'): string {
	const source = withSelect(sources.get(definition) ?? '');
	try {
		const reader = new Reader(source, substitution);
		const statement = readAndOr(reader);
		reader.lines();
		const body = bodyOf(statement, definition.name);
		if (body) {
			const printer = new Printer(layout);
			printer.body(body);
			return printer.text;
		}
	} catch (error) {
		if (!(error instanceof Unreadable)) throw error;
	}
	// What the reader does not know is right all the same as it was written.
	return `{ \n    ${source}\n    ${definition.name} "$@"\n}`;
}

/** The inside of `$(…)`, where commands share a line. */
function substitution(reader: Reader): string {
	const list = readList(reader);
	reader.expect(')');
	if (!list) return '';
	const printer = new Printer('line');
	printer.command(list);
	printer.rest();
	return printer.text;
}

function bodyOf(written: Written, name: string): Written | null {
	const { shape } = written;
	switch (shape.type) {
		case 'function':
			return shape.name === name ? shape.body : null;
		case 'joined':
			return bodyOf(shape.left, name) ?? (shape.right && bodyOf(shape.right, name));
		default:
			return null;
	}
}
