import { createRequire, Module } from '../../loader/commonjs.ts';
import { IMPORT } from '../../loader/transform.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { OWN_NAME } from '../../runtime/node-globals.ts';
import { Console } from '../console.ts';
import { isIntrinsic } from '../vm-global.ts';
import { lexicalNamesIn } from '../vm.ts';
import { VmContext } from '../vm-context.ts';
import { defineLibraryGlobals } from './library-globals.ts';

/** `node:vm`, as far as a prompt uses it. */
export interface Vm {
	readonly constants: { readonly DONT_CONTEXTIFY: symbol };
	createContext(kind: symbol): object;
	runInContext(code: string, context: object, name: string): unknown;
}

/** Contexts of prompts: the program's own global scope, and separate ones. */
export class ReplContexts {
	#main: VmContext | null = null;

	constructor(
		private readonly runtime: Runtime,
		private readonly vm: Vm,
		private readonly libraries: readonly string[],
		private readonly get: (name: string) => unknown
	) {
		defineImport(runtime);
	}

	/** The scope of the program itself, shared by all prompts in it. */
	get #mainContext(): VmContext {
		return (this.#main ??= new VmContext(globalThis, (code) => this.runtime.prepareText(code)));
	}

	/**
	 * @param isGlobal whether statements run in the program's own scope
	 * @param output stream of the context's console
	 */
	create(isGlobal: boolean, output: ConstructorParameters<typeof Console>[0]): object {
		const context = isGlobal ? globalThis : this.#separate(output);
		const module = new Module('<repl>');
		module.paths = Module._nodeModulePaths(this.runtime.process.cwd());
		// Relative names are those of the working directory, which may change.
		const filename = () => `${this.runtime.process.cwd()}/<repl>`;
		Object.defineProperty(module, 'filename', { get: filename, enumerable: false });
		for (const [name, value] of Object.entries({ module, require: createRequire(module) })) {
			Object.defineProperty(context, name, { value, writable: true, configurable: true });
		}
		defineLibraryGlobals(context, this.libraries, this.get);
		return context;
	}

	/** @returns the completion value of a script */
	run(code: string, context: object, name: string): unknown {
		return context === globalThis ? this.#mainContext.run(code, name) : this.vm.runInContext(code, context, name);
	}

	/** Names of `let`, `const` and `class` declarations. */
	lexicalNames(context: object): string[] {
		return context === globalThis ? this.#mainContext.lexicalNames : lexicalNamesIn(context);
	}

	#separate(output: ConstructorParameters<typeof Console>[0]): object {
		const context = this.vm.createContext(this.vm.constants.DONT_CONTEXTIFY);
		for (const name of Object.getOwnPropertyNames(globalThis)) {
			if ((isIntrinsic(name) && name !== 'console') || name.startsWith(OWN_NAME)) continue;
			const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
			// Globals of a browser are hidden: they have no value.
			if (!descriptor || (!descriptor.enumerable && descriptor.value === undefined && !descriptor.get)) continue;
			Object.defineProperty(context, name, descriptor);
		}
		Object.defineProperty(context, 'global', { value: context, writable: true, configurable: true });
		const console = new Console(output);
		Object.defineProperty(context, 'console', { value: console, writable: true, configurable: true });
		return context;
	}
}

/** Defines what a rewritten `import()` of a statement calls. */
function defineImport({ process }: Runtime): void {
	const value = (specifier: unknown) => Module.host.esm.import(String(specifier), `${process.cwd()}/repl`);
	Object.defineProperty(globalThis, IMPORT, { value, configurable: true });
}
