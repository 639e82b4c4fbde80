/** Neutral names of the generic profile's tools, with what a model of that profile calls them (003 §10). */
export const TOOL_PRESETS = {
	default: ['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls'],
	minimal: ['read', 'write', 'edit', 'bash'],
	readonly: ['read', 'grep', 'find', 'ls']
} as const;

export type ToolPreset = keyof typeof TOOL_PRESETS;

/**
 * Checks names before they become the active tools.
 *
 * @param known every name the registry resolves
 * @throws TypeError naming what is wrong
 */
export function checkActiveTools(names: readonly string[], known: (name: string) => boolean): void {
	if (names.length === 0) throw new TypeError('At least one tool must be active.');
	const unknown = names.filter((name) => !known(name));
	if (unknown.length) throw new TypeError(`There is no tool named ${unknown.join(', ')}.`);
}
