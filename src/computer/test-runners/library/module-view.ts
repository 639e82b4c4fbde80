import type { Tool } from '../tool.ts';

/** Result of a factory as seen by `import`: vitest uses it as the module, jest as the result of `require`. */
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
