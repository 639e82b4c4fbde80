/** Selectors for Playwright's injected script, and the text of a locator in messages. */

export type Text = string | RegExp;

export interface RoleOptions {
	name?: Text;
	description?: Text;
	exact?: boolean;
	checked?: boolean;
	disabled?: boolean;
	expanded?: boolean;
	includeHidden?: boolean;
	level?: number;
	pressed?: boolean;
	selected?: boolean;
}

export interface Exact {
	exact?: boolean;
}

const regexText = (pattern: RegExp): string =>
	String(pattern)
		.replace(/(^|[^\\])(\\\\)*(["'`])/g, '$1$2\\$3')
		.replace(/>>/g, '\\>\\>');

const ofText = (text: Text, exact = false): string =>
	typeof text === 'string' ? `${JSON.stringify(text)}${exact ? 's' : 'i'}` : regexText(text);

const ofAttribute = (value: Text, exact = false): string =>
	typeof value === 'string'
		? `"${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"${exact ? 's' : 'i'}`
		: regexText(value);

export const byText = (text: Text, { exact }: Exact = {}): string => `internal:text=${ofText(text, exact)}`;
export const byLabel = (text: Text, { exact }: Exact = {}): string => `internal:label=${ofText(text, exact)}`;
export const byAttribute = (name: string, text: Text, { exact }: Exact = {}): string =>
	`internal:attr=[${name}=${ofAttribute(text, exact)}]`;
export const byTestId = (attribute: string, id: Text): string =>
	`internal:testid=[${attribute}=${ofAttribute(id, true)}]`;

export function byRole(role: string, options: RoleOptions = {}): string {
	const { checked, disabled, selected, expanded, includeHidden, level, name, description, pressed, exact } = options;
	const given: [string, string | undefined][] = [
		['checked', flag(checked)],
		['disabled', flag(disabled)],
		['selected', flag(selected)],
		['expanded', flag(expanded)],
		['include-hidden', flag(includeHidden)],
		['level', level === undefined ? undefined : String(level)],
		['name', name === undefined ? undefined : ofAttribute(name, exact)],
		['description', description === undefined ? undefined : ofAttribute(description, exact)],
		['pressed', flag(pressed)]
	];
	const parts = given.filter(([, value]) => value !== undefined).map(([key, value]) => `[${key}=${value}]`);
	return `internal:role=${role}${parts.join('')}`;
}

const flag = (value: boolean | undefined): string | undefined => (value === undefined ? undefined : String(value));

export const hasText = (text: Text): string => `internal:has-text=${ofText(text)}`;
export const hasNotText = (text: Text): string => `internal:has-not-text=${ofText(text)}`;
export const nested = (engine: 'has' | 'has-not' | 'and' | 'or', selector: string): string =>
	`internal:${engine}=${JSON.stringify(selector)}`;

/** Formats a value as Playwright does in the description of a locator. */
export function quoted(value: unknown): string {
	if (typeof value === 'string') return `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\n/g, '\\n')}'`;
	if (value instanceof RegExp || typeof value !== 'object' || value === null) return String(value);
	const parts = Object.entries(value).filter(([, part]) => part !== undefined);
	return `{ ${parts.map(([key, part]) => `${key}: ${quoted(part)}`).join(', ')} }`;
}

/** `getByRole('button', { name: 'Send' })`. */
export function callText(name: string, ...given: unknown[]): string {
	const words = given.filter((each) => each !== undefined && !(isRecord(each) && Object.keys(each).length === 0));
	return `${name}(${words.map(quoted).join(', ')})`;
}

const isRecord = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !(value instanceof RegExp);
