import { replacePrivateKeys } from './private-keys.ts';
import { replaceSecrets, SECRET_SHAPES } from './secret-shapes.ts';

const MARKER = /\[secret left out: [A-Za-z ]+\]/g;

/** Replaces every key in a text by a marker that names its kind. */
export function redactSecrets(text: string): string {
	return SECRET_SHAPES.reduce(
		(left, { kind, pattern }) => replaceSecrets(left, pattern, () => `[secret left out: ${kind}]`),
		replacePrivateKeys(text, () => '[secret left out: private key]')
	);
}

/** Redacts every text in plain data, e.g. the diff in a result's details. */
export function redactData(value: unknown): unknown {
	if (typeof value === 'string') return redactSecrets(value);
	if (Array.isArray(value)) return value.map(redactData);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redactData(part)]));
}

/** Counts the markers in a text: writing one back would destroy the secret that it replaced. */
export function countMarkers(text: string): number {
	return text.match(MARKER)?.length ?? 0;
}
