import { withSourceUrl } from '../loader/evaluate.ts';
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
	readonly #variables = new Set<string>();
	readonly #function: FunctionConstructor;
	/** Set for the program's own global object: names that scripts did not declare are looked up there by the engine. */
	readonly #isMain: boolean;

	/** @param prepare rewrites the text of a script */
	constructor(
		global: object,
		private readonly prepare: (code: string) => string
	) {
		this.#global = global;
		this.#isMain = global === globalThis;
		this.globalThis = this.#isMain ? global : contextGlobal(global, (key) => this.#intrinsic(key));
		this.#function = contextFunction(this.globalThis, (code) => this.run(code, 'node:vm'));
	}

	/** Names of `let`, `const` and `class` declarations of scripts. */
	get lexicalNames(): string[] {
		return [...this.#lexical.keys()];
	}

	/**
	 * Runs a script.
	 * @param added length of generated text in the first line
	 * @returns its completion value
	 */
	run(text: string, name: string, added = 0): unknown {
		const code = this.prepare(text);
		const { declared, afterTypeof } = namesOf(code);
		this.#refuseAgain(declared);
		const script: Script = { declared, isBound: false, afterTypeof };
		let last = () => ({});
		const bind: Bind = (functions, lexical, atEnd) => {
			script.isBound = true;
			Object.assign(this.#global, functions);
			for (const name of [...declared.variables, ...declared.functions]) this.#variables.add(name);
			for (const variable of declared.variables) {
				if (!(variable in this.#global)) Reflect.set(this.#global, variable, undefined);
			}
			for (const [one, binding] of Object.entries(lexical)) this.#lexical.set(one, binding);
			last = atEnd;
		};
		const prefix = prefixOf(declared);
		// Without a name: it is not a frame of the program.
		const run = (0, eval)(RUN) as Run;
		const prefixed = withSourceUrl(prefix + code, name, prefix.length + added);
		try {
			return Reflect.apply(run, this.globalThis, [this.#scopeOf(script), prefixed, bind]);
		} finally {
			Object.assign(this.#global, last());
		}
	}

	/** @throws SyntaxError if a name is declared that an earlier script has declared, and one of them lexically */
	#refuseAgain({ lexical, variables, functions }: Declarations): void {
		const again =
			lexical.find((one) => this.#lexical.has(one) || this.#variables.has(one)) ??
			[...variables, ...functions].find((one) => this.#lexical.has(one));
		if (again !== undefined) throw new SyntaxError(`Identifier '${again}' has already been declared`);
	}

	/** Value of a language global, with the context's own `Function` in place of the program's. */
	#intrinsic(key: string): unknown {
		const value: unknown = Reflect.get(globalThis, key);
		return value === Function ? this.#function : value;
	}

	/** Names of the surrounding function are not those of the program. */
	#isDeclared(key: string, { variables, functions, blockFunctions }: Declarations): boolean {
		return (
			this.#lexical.has(key) ||
			key === 'arguments' ||
			[variables, functions, blockFunctions].some((names) => names.includes(key))
		);
	}

	#scopeOf(script: Script): object {
		const { declared, afterTypeof } = script;
		const target = this.#global;
		const isLocal = (key: string) =>
			script.isBound ? declared.blockFunctions.includes(key) && !(key in target) : declared.functions.includes(key);
		// The main scope does not have the names of its global object, some of which cannot be configured.
		return new Proxy(this.#isMain ? {} : target, {
			// Every other name belongs to the context: assigning to an undefined one defines it.
			has: (_, key) =>
				typeof key === 'string' &&
				key !== 'eval' &&
				!key.startsWith(OWN_NAME) &&
				!isLocal(key) &&
				(!this.#isMain || this.#isDeclared(key, declared)),
			get: (_, key) => {
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
			set: (_, key, value) => {
				const binding = typeof key === 'string' ? this.#lexical.get(key) : undefined;
				if (binding) assign(binding, value);
				else if (declared.isStrict && !(key in target) && !isIntrinsic(String(key))) {
					throw new ReferenceError(`${String(key)} is not defined`);
				} else return Reflect.set(target, key, value);
				return true;
			}
		});
	}
}

/** @throws TypeError for a constant, which has the frame of the assignment and not of the binding */
function assign(binding: Binding, value: unknown): void {
	try {
		binding.set(value);
	} catch (error) {
		throw error instanceof TypeError ? new TypeError(error.message) : error;
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
