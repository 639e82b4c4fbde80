import { evaluate } from '../loader/evaluate.ts';
import { VmContext } from './vm-context.ts';
import { nodeError, unsupported } from '../runtime/errors.ts';

interface ScriptOptions {
	filename?: string;
}
const contexts = new WeakMap<object, VmContext>();
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
		if (!contexts.has(sandbox)) contexts.set(sandbox, new VmContext(sandbox));
		return sandbox;
	};
	const runInContext = (code: string, sandbox: object, options?: unknown): unknown => {
		const context = contexts.get(sandbox);
		if (!context) {
			throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "contextifiedObject" argument must be an vm.Context');
		}
		return context.run(code, name(options));
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
		measureMemory: () => Promise.reject(unsupported('vm.measureMemory()', 'Use process.memoryUsage().')),
		constants: {
			DONT_CONTEXTIFY,
			USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default')
		}
	};
}
