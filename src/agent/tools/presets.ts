/** Neutral names of the generic profile's tools, with the names that models of that profile use (003 §10). */
export const TOOL_PRESETS = {
	default: ['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls'],
	minimal: ['read', 'write', 'edit', 'bash'],
	readonly: ['read', 'grep', 'find', 'ls']
} as const;

export type ToolPreset = keyof typeof TOOL_PRESETS;

/**
 * Checks names before they become the active tools.
 *
 * @param known returns true for a name that the registry resolves
 * @throws TypeError naming the unknown tools
 */
export function checkActiveTools(names: readonly string[], known: (name: string) => boolean): void {
	if (names.length === 0) throw new TypeError('At least one tool must be active.');
	const unknown = names.filter((name) => !known(name));
	if (unknown.length) throw new TypeError(`There is no tool named ${unknown.join(', ')}.`);
}
