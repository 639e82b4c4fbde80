import { replacePrivateKeys } from './private-keys.ts';
import { replaceSecrets, SECRET_SHAPES } from './secret-shapes.ts';

const MARKER = /\[secret left out: [A-Za-z ]+\]/g;

/** The text with every key in it replaced by a marker that says what stood there. */
export function redactSecrets(text: string): string {
	return SECRET_SHAPES.reduce(
		(left, { kind, pattern }) => replaceSecrets(left, pattern, () => `[secret left out: ${kind}]`),
		replacePrivateKeys(text, () => '[secret left out: private key]')
	);
}

/** The same for every text in plain data, e.g. the diff in a result's details. */
export function redactData(value: unknown): unknown {
	if (typeof value === 'string') return redactSecrets(value);
	if (Array.isArray(value)) return value.map(redactData);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redactData(part)]));
}

/** How many markers a text holds: writing one back would destroy the secret behind it. */
export function countMarkers(text: string): number {
	return text.match(MARKER)?.length ?? 0;
}
