import type { Tool } from '../tool.ts';

/** What `import` sees of what a factory gave: vitest takes it for the module, jest for what `require` would give. */
export function importedView(value: unknown, specifier: string, tool: Tool['name']): unknown {
	if (typeof value !== 'object' && typeof value !== 'function') return { default: value };
	if (value === null) return { default: null };
	if (tool === 'jest') return Reflect.get(value, '__esModule') ? value : { ...value, default: value };
	return new Proxy(value, {
		get(module, name) {
			if (Reflect.has(module, name) || typeof name === 'symbol' || name === 'then') {
				return Reflect.get(module, name) as unknown;
			}
			throw new Error(
				`No "${name}" export is defined on the "${specifier}" mock. Did you forget to return it from the factory? To keep the rest of the module: vi.mock(${JSON.stringify(specifier)}, async (importOriginal) => ({ ...(await importOriginal()), ${name}: … }))`
			);
		}
	});
}
