import { evaluate } from '../loader/evaluate.ts';
import { VmContext } from './vm-context.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { nodeError, unsupported } from '../runtime/errors.ts';

interface ScriptOptions {
	filename?: string;
}
interface CompileOptions extends ScriptOptions {
	parsingContext?: object;
}

const contexts = new WeakMap<object, VmContext>();
/** Makes `createContext` create a separate object as the context's global object. */
const DONT_CONTEXTIFY = Symbol('vm_context_no_contextify');

/** Names of `let`, `const` and `class` declarations in a context. */
export const lexicalNamesIn = (context: object): string[] => contexts.get(context)?.lexicalNames ?? [];

function contextOf(given: object, wanted: string): VmContext {
	const context = contexts.get(given);
	if (!context) throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', `The ${wanted}`);
	return context;
}

/**
 * `node:vm`. A context is a scope over this program's own globals, not an isolated realm: it does not protect from its
 * code.
 */
export function createVm(runtime: Runtime): Record<string, unknown> {
	const prepare = (code: unknown) => runtime.prepareText(String(code));
	const name = (options: unknown) =>
		typeof options === 'string'
			? options
			: ((options as ScriptOptions | undefined)?.filename ?? 'evalmachine.<anonymous>');
	const createContext = (given: object | typeof DONT_CONTEXTIFY = {}) => {
		if (given !== DONT_CONTEXTIFY && contexts.has(given)) return given;
		const context = new VmContext(given === DONT_CONTEXTIFY ? {} : given, prepare);
		const known = given === DONT_CONTEXTIFY ? context.globalThis : given;
		contexts.set(known, context);
		return known;
	};
	const runInContext = (code: string, sandbox: object, options?: unknown): unknown => {
		return contextOf(sandbox, '"contextifiedObject" argument must be an vm.Context').run(code, name(options));
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
			return evaluate(prepare(this.#code), name(this.#options));
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
		createScript: (code: string, options?: unknown) => new Script(code, options),
		createContext,
		isContext: (value: object) => contexts.has(value),
		runInContext,
		runInNewContext: (code: string, sandbox: object = {}, options?: unknown) =>
			runInContext(code, createContext(sandbox), options),
		runInThisContext: (code: string, options?: unknown) => evaluate(prepare(code), name(options)),
		compileFunction: (code: string, parameters: string[] = [], options: CompileOptions = {}) => {
			const head = `(function (${parameters.join(', ')}) { `;
			const text = `${head}${code}\n})`;
			const { parsingContext } = options;
			if (parsingContext === undefined) return evaluate(prepare(text), name(options), head.length);
			return contextOf(parsingContext, '"options.parsingContext" property must be an instance of Context').run(
				text,
				name(options),
				head.length
			);
		},
		measureMemory: () => Promise.reject(unsupported('vm.measureMemory()', 'Use process.memoryUsage().')),
		constants: {
			DONT_CONTEXTIFY,
			USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default')
		}
	};
}
