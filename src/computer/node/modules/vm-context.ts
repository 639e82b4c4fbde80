import { evaluate, withSourceUrl } from '../loader/evaluate.ts';
import { contextGlobal, isIntrinsic } from './vm-global.ts';
import { contextFunction } from './vm-function.ts';
import type { Declarations } from './script-declarations.ts';
import { namesOf, type ScriptNames } from './script-names.ts';
import { OWN_NAME } from '../runtime/node-globals.ts';

interface Binding {
	get: () => unknown;
	set: (value: unknown) => void;
}

/** Receives a script's declarations before its first statement, see {@link prefixOf}. */
type Bind = (functions: object, lexical: Record<string, Binding>, atEnd: () => object) => void;
type Run = (scope: object, code: string, bind: Bind) => unknown;

interface Script extends ScriptNames {
	/** Set once its functions are properties of the global object. */
	isBound: boolean;
}

/** Evaluates a script with its context as the innermost scope around it. */
const RUN = `(function (__sandglass_scope, __sandglass_code, __sandglass_bind) { with (__sandglass_scope) {
	return eval(__sandglass_code);
} })`;

/** Scope of a `vm` context: the contextified object, and `let`, `const` and `class` declarations of scripts. */
export class VmContext {
	/** The contextified object. */
	readonly #global: object;
	/** Value of `globalThis` for its scripts. */
	readonly globalThis: object;
	readonly #lexical = new Map<string, Binding>();
	readonly #function: FunctionConstructor;

	/** @param prepare rewrites the text of a script */
	constructor(
		global: object,
		private readonly prepare: (code: string) => string
	) {
		this.#global = global;
		this.globalThis = contextGlobal(global, (key) => this.#intrinsic(key));
		this.#function = contextFunction(this.globalThis, (code) => this.run(code, 'node:vm'));
	}

	/**
	 * Runs a script.
	 * @param added length of generated text in the first line
	 * @returns its completion value
	 */
	run(text: string, name: string, added = 0): unknown {
		const code = this.prepare(text);
		const { declared, afterTypeof } = namesOf(code);
		const again = declared.lexical.find((one) => this.#lexical.has(one));
		if (again !== undefined) throw new SyntaxError(`Identifier '${again}' has already been declared`);
		const script: Script = { declared, isBound: false, afterTypeof };
		let last = () => ({});
		const bind: Bind = (functions, lexical, atEnd) => {
			script.isBound = true;
			Object.assign(this.#global, functions);
			for (const variable of declared.variables) {
				if (!(variable in this.#global)) Reflect.set(this.#global, variable, undefined);
			}
			for (const [one, binding] of Object.entries(lexical)) this.#lexical.set(one, binding);
			last = atEnd;
		};
		const prefix = prefixOf(declared);
		const run = evaluate(RUN, 'node:vm') as Run;
		const prefixed = withSourceUrl(prefix + code, name, prefix.length + added);
		try {
			return Reflect.apply(run, this.globalThis, [this.#scopeOf(script), prefixed, bind]);
		} finally {
			Object.assign(this.#global, last());
		}
	}

	/** Value of a language global, with the context's own `Function` in place of the program's. */
	#intrinsic(key: string): unknown {
		const value: unknown = Reflect.get(globalThis, key);
		return value === Function ? this.#function : value;
	}

	#scopeOf(script: Script): object {
		const { declared, afterTypeof } = script;
		const isLocal = (key: string, target: object) =>
			script.isBound ? declared.blockFunctions.includes(key) && !(key in target) : declared.functions.includes(key);
		return new Proxy(this.#global, {
			// Every other name belongs to the context: assigning to an undefined one defines it.
			has: (target, key) =>
				typeof key === 'string' && key !== 'eval' && !key.startsWith(OWN_NAME) && !isLocal(key, target),
			get: (target, key) => {
				if (typeof key !== 'string') return undefined;
				const binding = this.#lexical.get(key);
				if (binding) return binding.get();
				if (key === 'globalThis') return this.globalThis;
				if (key in target) {
					const value: unknown = Reflect.get(target, key);
					return value === Function ? this.#function : value;
				}
				if (isIntrinsic(key)) return this.#intrinsic(key);
				if (afterTypeof.has(key)) return undefined;
				throw new ReferenceError(`${key} is not defined`);
			},
			set: (target, key, value) => {
				const binding = typeof key === 'string' ? this.#lexical.get(key) : undefined;
				if (binding) binding.set(value);
				else if (declared.isStrict && !(key in target) && !isIntrinsic(String(key))) {
					throw new ReferenceError(`${String(key)} is not defined`);
				} else return Reflect.set(target, key, value);
				return true;
			}
		});
	}
}

/** Generates text before the script, on its first line, that exports the script's declarations. */
function prefixOf({ isStrict, variables, functions, blockFunctions, lexical }: Declarations): string {
	if (variables.length + functions.length + blockFunctions.length + lexical.length === 0) return '';
	const bindings = lexical.map((name) => `${name}: { get: () => ${name}, set: (value) => { ${name} = value; } }`);
	// Variables of strict code stay local.
	const kept = isStrict
		? variables.join()
		: blockFunctions.map((name) => `...(typeof ${name} === 'function' && { ${name} })`).join();
	const bind = `${OWN_NAME}bind({ ${functions.join()} }, { ${bindings.join()} }, () => ({ ${kept} }));`;
	return isStrict ? `'use strict';${bind}` : bind;
}
