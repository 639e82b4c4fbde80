import { evaluate } from '../loader/evaluate.ts';
import { nodeError, unsupported } from '../runtime/errors.ts';

interface ScriptOptions {
	filename?: string;
}
const FUNCTION = /(?:^|[;}])[ \t]*(?:async\s+)?function\s*\*?\s*([\w$]+)/gm;
/** Functions that a script declares are variables of this function: they are handed to the context at the end. */
const RUN = `(function (__sandglass_scope, __sandglass_code, __sandglass_names) { with (__sandglass_scope) {
	try { return eval(__sandglass_code); }
	finally { for (const name of __sandglass_names) if (eval('typeof ' + name) === 'function') __sandglass_scope[name] = eval(name); }
} })`;
const contexts = new WeakSet<object>();
/** Asks `createContext` for an object of its own, which is then the context's global one. */
const DONT_CONTEXTIFY = Symbol('vm_context_no_contextify');

/** `node:vm`. A context is a scope over this program's own globals, not a separate world: it keeps nothing out. */
export function createVm(): Record<string, unknown> {
	const name = (options: unknown) =>
		typeof options === 'string'
			? options
			: ((options as ScriptOptions | undefined)?.filename ?? 'evalmachine.<anonymous>');
	const createContext = (given: object | typeof DONT_CONTEXTIFY = {}) => {
		const sandbox = given === DONT_CONTEXTIFY ? {} : given;
		contexts.add(sandbox);
		return sandbox;
	};
	const runInContext = (code: string, sandbox: object, options?: unknown): unknown => {
		if (!contexts.has(sandbox)) {
			throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "contextifiedObject" argument must be an vm.Context');
		}
		// A scope cannot tell `typeof x` from `x`; the text can.
		const unsure = new Set<string | symbol>([...code.matchAll(/\btypeof\s+([\w$]+)/g)].map(([, found = '']) => found));
		const locals = [...code.matchAll(FUNCTION)].map(([, found = '']) => found);
		const scope = new Proxy(sandbox, {
			has: (target, key) =>
				key !== 'eval' &&
				!String(key).startsWith('__sandglass_') &&
				!(locals.includes(String(key)) && !(key in target)) &&
				(key in target || !(key in globalThis) || typeof key === 'string'),
			get: (target, key) => {
				if (key === Symbol.unscopables) return undefined;
				if (key === 'globalThis') return sandbox;
				if (key in target) return Reflect.get(target, key);
				if (key in globalThis && typeof key === 'string') return Reflect.get(globalThis, key);
				if (unsure.has(key)) return undefined;
				throw new ReferenceError(`${String(key)} is not defined`);
			}
		});
		const run = evaluate(RUN, name(options));
		return Reflect.apply(run as () => unknown, sandbox, [scope, hoisted(code), locals]);
	};
	class Script {
		readonly #code: string;
		readonly #options: unknown;

		constructor(code: string, options?: unknown) {
			this.#code = String(code);
			this.#options = options;
			Reflect.construct(Function, [this.#code]);
		}
		runInThisContext(): unknown {
			return evaluate(this.#code, name(this.#options));
		}
		runInContext(sandbox: object): unknown {
			return runInContext(this.#code, sandbox, this.#options);
		}
		runInNewContext(sandbox: object = {}): unknown {
			return runInContext(this.#code, createContext(sandbox), this.#options);
		}
	}
	return {
		Script,
		createContext,
		isContext: (value: object) => contexts.has(value),
		runInContext,
		runInNewContext: (code: string, sandbox: object = {}, options?: unknown) =>
			runInContext(code, createContext(sandbox), options),
		runInThisContext: (code: string, options?: unknown) => evaluate(code, name(options)),
		compileFunction: (code: string, parameters: string[] = [], options?: unknown) =>
			evaluate(`(function (${parameters.join(', ')}) { ${code}\n})`, name(options)),
		SourceTextModule: class {
			constructor() {
				throw unsupported('vm.SourceTextModule', 'Use import().');
			}
		},
		measureMemory: () => Promise.reject(unsupported('vm.measureMemory()', 'Use process.memoryUsage().')),
		constants: {
			DONT_CONTEXTIFY,
			USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default')
		}
	};
}

/** A script's `var x` at its top belongs to the context's object. Functions are given to it after it has run. */
function hoisted(code: string): string {
	return code.replace(/^(\s*)var\s+(?=[\w$]+\s*=)/gm, '$1');
}
