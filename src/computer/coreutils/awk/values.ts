/** Input text that looks like a number: it compares as one. */
export class NumericText {
	constructor(
		readonly text: string,
		readonly number: number
	) {}
}

/** Result of `mkbool`: a number that knows it is a boolean. */
export class BooleanValue extends NumericText {
	constructor(isTrue: boolean) {
		super(isTrue ? '1' : '0', Number(isTrue));
	}
}

/** A regular expression as a value (`@/…/`). */
export class RegexValue {
	constructor(readonly source: string) {}
}

/** A value. `undefined` was never used, `null` was read but never set: both are 0 and the empty string. */
export type Value = number | string | NumericText | RegexValue | null | undefined;
/** Content of a variable, an element or a parameter. */
export type Cell = Value | AwkArray | Untyped;

/** An array; its name is shown in messages. */
export class AwkArray extends Map<string, Value | AwkArray> {
	constructor(readonly label: string) {
		super();
	}

	/** Reads an element, which creates it. */
	take(key: string): Value | AwkArray {
		const value = this.get(key);
		if (value === undefined && !this.has(key)) this.set(key, undefined);
		return value;
	}

	/** Name of an element in messages. */
	labelOf(key: string): string {
		return `${this.label}["${key}"]`;
	}
}

/** A parameter whose argument was a variable without a value: using it as an array makes that variable an array. */
export class Untyped {
	constructor(
		readonly get: () => Cell,
		readonly set: (cell: Value | AwkArray) => void,
		readonly label: string
	) {}

	/** The array that the variable is or becomes; null if it is a scalar. */
	asArray(): AwkArray | null {
		const now = this.get();
		if (now instanceof AwkArray) return now;
		if (now instanceof Untyped) return now.asArray();
		if (now !== undefined) return null;
		const array = new AwkArray(this.label);
		this.set(array);
		return array;
	}

	/** Tells whether the variable became an array; otherwise it is a scalar from now on. */
	isArrayInScalarContext(): boolean {
		const now = this.get();
		if (now instanceof AwkArray) return true;
		if (now instanceof Untyped) return now.isArrayInScalarContext();
		if (now === undefined) this.set(null);
		return false;
	}

	/** Current content of the variable, without marking it as used. */
	get current(): Value | AwkArray {
		const now = this.get();
		return now instanceof Untyped ? now.current : now;
	}
}

const NUMBER = /^[ \t\n\r\f\v]*[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+](?:inf|nan))[ \t\n\r\f\v]*$/i;
const LEADING = /^[ \t\n\r\f\v]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/;
const NOT_FINITE = /^[ \t\n\r\f\v]*([-+])(inf|nan)(?![\w.])/i;

/** Rules for reading input text, shared by the whole run: options change them. */
export interface NumberReading {
	/** `--non-decimal-data`: `0x1f` and `017` in the input are numbers. */
	nonDecimal: boolean;
	/** Characters given by number in patterns are always literal, never operators. */
	traditional: boolean;
}

export const reading: NumberReading = { nonDecimal: false, traditional: false };

/** Converts text from outside to a value. */
export function fromInput(text: string): Value {
	const code = text.charCodeAt(0);
	// Most text starts with a letter: no need to check further.
	if (code > 57 || text === '') return text;
	if (reading.nonDecimal) {
		const number = nonDecimal(text.trim());
		if (number !== null) return new NumericText(text, number);
	}
	return isNumeric(text) ? new NumericText(text, numberOf(text)) : text;
}

/** Tells whether the whole text is a number; `inf` and `nan` need a sign. */
export function isNumeric(text: string): boolean {
	return NUMBER.test(text) && !/^[ \t\n\r\f\v]*(?:inf|nan)/i.test(text);
}

/** Parses `0x1f` and `017`; null if the text is neither. */
export function nonDecimal(text: string): number | null {
	const [, sign = '', digits = ''] = /^([-+]?)(0[xX][\da-fA-F]+|0[0-7]+)$/.exec(text) ?? [];
	if (digits === '') return null;
	const size = /^0[xX]/.test(digits) ? Number(digits) : parseInt(digits, 8);
	return sign === '-' ? -size : size;
}

/** Returns the number that a text starts with, or 0 if there is none. */
export function numberOf(text: string): number {
	if (reading.nonDecimal) {
		const [start] = /^\s*[-+]?0(?:[xX][\da-fA-F]+|[0-7]+(?![\d.eE]))/.exec(text) ?? [];
		const number = start === undefined ? null : nonDecimal(start.trim());
		if (number !== null) return number;
	}
	const match = LEADING.exec(text);
	if (match) return Number(match[1]);
	const [, sign, word = ''] = NOT_FINITE.exec(text) ?? [];
	if (word === '') return 0;
	return word.toLowerCase() === 'nan' ? Number.NaN : sign === '-' ? -Infinity : Infinity;
}

export function toNumber(value: Value): number {
	if (typeof value === 'number') return value;
	if (value === undefined || value === null) return 0;
	if (typeof value === 'string') return numberOf(value);
	return value instanceof NumericText ? value.number : numberOf(value.source);
}

export function isTrue(value: Value): boolean {
	if (typeof value === 'number') return value !== 0;
	if (typeof value === 'string') return value !== '';
	if (value instanceof NumericText) return value.number !== 0;
	return value instanceof RegexValue && value.source !== '';
}

/** Tells whether a value compares as a string. */
export const isText = (value: Value): boolean => typeof value === 'string' || value instanceof RegexValue;

/** Name of a value's type, as returned by `typeof`. */
export function typeName(value: Value): string {
	if (typeof value === 'number') return 'number';
	if (typeof value === 'string') return 'string';
	if (value instanceof BooleanValue) return 'number|bool';
	if (value instanceof NumericText) return 'strnum';
	if (value instanceof RegexValue) return 'regexp';
	return value === null ? 'unassigned' : 'untyped';
}
