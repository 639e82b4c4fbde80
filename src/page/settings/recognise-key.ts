import type { DirectProvider } from './direct-providers.ts';

/** Longer prefixes come first: the first match is used. */
const FORMS: readonly [form: RegExp, provider: DirectProvider | null][] = [
	[/^sk-ant-/, 'anthropic'],
	// Keys of OpenRouter, which none of the three providers accepts.
	[/^sk-or-/, null],
	[/^sk-/, 'openai'],
	[/^AIza/, 'gemini'],
	[/^AQ\./, 'gemini']
];

/** Provider that issues keys of this form; `null` if the form is not conclusive. */
export function recogniseKey(key: string): DirectProvider | null {
	return FORMS.find(([form]) => form.test(key.trim()))?.[1] ?? null;
}
