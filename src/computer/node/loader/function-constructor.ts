import { pathOfUrl } from './files.ts';
import { positionOf } from '../runtime/stack.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { IMPORT, prepareCommonJs } from './transform.ts';

type Importer = (specifier: string, from: string) => Promise<unknown>;

/** Functions of all kinds: only the constructor of the first has a global name. */
const SAMPLES: [keyword: string, sample: object][] = [
	['function', () => undefined],
	['function*', function* () {}],
	['async function', async () => {}],
	['async function*', async function* () {}]
];

/**
 * Replaces `Function` and the constructors of async functions and of generators: compiled text may contain `import()`,
 * which resolves modules of the program relative to the calling file, and awaits. Everything else is V8's own.
 *
 * @param fallback file to use if no file of the program is on the stack
 */
export function replaceFunctionConstructors(runtime: Runtime, importModule: Importer, fallback: () => string): void {
	const Plain = Function;
	for (const [keyword, sample] of SAMPLES) {
		const Native = sample.constructor as FunctionConstructor;
		const make = (args: unknown[]): unknown => {
			const words = args.map(String);
			const body = words.pop() ?? '';
			const prepared = prepareCommonJs(runtime.prepareText(body, keyword.startsWith('async')));
			if (prepared === body) return Reflect.construct(Native, args);
			const from = callingFile() ?? fallback();
			const outer: unknown = Plain(IMPORT, `return ${keyword} anonymous(${words.join(',')}\n) {\n${prepared}\n}`);
			return (outer as Importer)(((specifier: unknown) => importModule(String(specifier), from)) as never, '');
		};
		const Replaced: FunctionConstructor = new Proxy(Native, {
			apply: (_target, _this, args: unknown[]) => make(args),
			construct: (_target, args: unknown[], newTarget) =>
				newTarget === Replaced ? (make(args) as object) : (Reflect.construct(Native, args, newTarget) as object)
		});
		const writable = keyword === 'function';
		const prototype = Reflect.getPrototypeOf(sample) ?? {};
		Object.defineProperty(prototype, 'constructor', { value: Replaced, writable, configurable: true });
		if (Native === Plain)
			Object.defineProperty(globalThis, 'Function', { value: Replaced, writable, configurable: true });
	}
}

function callingFile(): string | null {
	const file = positionOf(new Error('here'))?.file;
	if (!file) return null;
	return pathOfUrl(file);
}
