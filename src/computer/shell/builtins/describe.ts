import { doubleQuote, needsQuotes, quoteWord } from '../expansion/quote.ts';
import { elements, type Variable } from '../state/variables.ts';

/** Attributes as bash prints them: `ar`, `x`. */
export function attributeLetters(variable: Variable): string {
	return (
		(variable.indexed ? 'a' : '') +
		(variable.associative ? 'A' : '') +
		(variable.integer ? 'i' : '') +
		(variable.reference ? 'n' : '') +
		(variable.readonly ? 'r' : '') +
		(variable.trace ? 't' : '') +
		(variable.exported ? 'x' : '') +
		(variable.capital ? 'c' : '') +
		(variable.lower ? 'l' : '') +
		(variable.upper ? 'u' : '')
	);
}

/** Formats a variable as `declare -p` prints it. */
export function describe(name: string, variable: Variable): string {
	if (variable.indexed || variable.associative) return describeArray(name, variable);
	const head = `declare -${attributeLetters(variable) || '-'} ${name}`;
	return variable.value === undefined ? head : `${head}=${doubleQuote(variable.value)}`;
}

/** `declare -a name=(…)`. */
export function describeArray(name: string, variable: Variable): string {
	const head = `declare -${attributeLetters(variable) || '-'} ${name}`;
	return variable.isUnset ? head : `${head}=${arrayText(variable)}`;
}

/** Formats a variable as `export` and `readonly` list it in POSIX mode. */
export function describePosix(builtin: string, name: string, variable: Variable): string {
	const kind = variable.indexed ? ' -a' : variable.associative ? ' -A' : '';
	const value = kind ? (variable.isUnset ? null : arrayText(variable)) : variable.value;
	return `${builtin}${kind} ${name}${typeof value === 'string' ? `=${kind ? value : doubleQuote(value)}` : ''}`;
}

/** `([0]="a" [1]="b")`. */
export function arrayText(variable: Variable): string {
	const items = elements(variable).map(([key, value]) => `[${keyText(key)}]=${doubleQuote(value)}`);
	return `(${items.join(' ')}${variable.associative && items.length ? ' ' : ''})`;
}

/** Formats a key of an associative array between the brackets of `[key]=`. */
export const keyText = (key: string) => (needsQuotes(key) || key === '@' ? doubleQuote(key) : key);

/** `${name@A}` of a variable that is not a list. */
export function declarationOf(name: string, variable: Variable | undefined, value: string): string {
	const letters = variable ? attributeLetters(variable) : '';
	return `${letters ? `declare -${letters} ` : ''}${name}=${quoteWord(value, true)}`;
}
