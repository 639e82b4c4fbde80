import type { DirectProvider } from './direct-providers.ts';

/** Longer prefixes first: the first that fits decides. */
const FORMS: readonly [form: RegExp, provider: DirectProvider | null][] = [
	[/^sk-ant-/, 'anthropic'],
	// A router's keys, which none of the three accepts.
	[/^sk-or-/, null],
	[/^sk-/, 'openai'],
	[/^AIza/, 'gemini'],
	[/^AQ\./, 'gemini']
];

/** The provider that gives out keys of this form; `null` where the form says nothing. */
export function recogniseKey(key: string): DirectProvider | null {
	return FORMS.find(([form]) => form.test(key.trim()))?.[1] ?? null;
}
