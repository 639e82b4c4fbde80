import { pathOfUrl } from './files.ts';
import { positionOf } from '../runtime/stack.ts';
import { IMPORT, prepareCommonJs } from './transform.ts';

type Importer = (specifier: string, from: string) => Promise<unknown>;

/**
 * Replaces `Function`: compiled text may contain `import()`, which resolves modules of the program relative to the
 * calling file. Everything else is V8's own.
 *
 * @param fallback file to use if no file of the program is on the stack
 */
export function replaceFunctionConstructor(importModule: Importer, fallback: () => string): void {
	const Native = Function;
	const make = (args: unknown[]): unknown => {
		const words = args.map(String);
		const body = words.pop() ?? '';
		const prepared = prepareCommonJs(body);
		if (prepared === body) return Reflect.construct(Native, args);
		const from = callingFile() ?? fallback();
		const outer: unknown = Native(IMPORT, `return function anonymous(${words.join(',')}\n) {\n${prepared}\n}`);
		return (outer as Importer)(((specifier: unknown) => importModule(String(specifier), from)) as never, '');
	};
	const Replaced: FunctionConstructor = new Proxy(Native, {
		apply: (_target, _this, args: unknown[]) => make(args),
		construct: (_target, args: unknown[], newTarget) =>
			newTarget === Replaced ? (make(args) as object) : (Reflect.construct(Native, args, newTarget) as object)
	});
	Object.defineProperty(Native.prototype, 'constructor', { value: Replaced, writable: true, configurable: true });
	Object.defineProperty(globalThis, 'Function', { value: Replaced, writable: true, configurable: true });
}

function callingFile(): string | null {
	const file = positionOf(new Error('here'))?.file;
	if (!file) return null;
	return pathOfUrl(file);
}
