import { mockObject } from '@vitest/mocker';
import { createMockInstance } from '@vitest/spy';
import type { ModuleAccess, Replacements } from '#computer/node/loader/replacements.ts';
import type { Tool } from '../tool.ts';
import { importedView } from './module-view.ts';

type Factory = (importOriginal: () => Promise<unknown>) => unknown;

interface Mock {
	specifier: string;
	/** Absent: the real module with its functions replaced, or the file in `__mocks__`. */
	factory: Factory | null;
	/** Kind of mock; the functions of `autospy` keep their behavior. */
	type: 'automock' | 'autospy';
	/** Set if its original is a CommonJS module, whose exports `import` sees as the default. */
	isCommonJs?: boolean;
	made?: { value: unknown };
	making?: Promise<{ value: unknown }>;
}

/**
 * Modules that tests have replaced. Paths are relative to the file whose calls were hoisted last, which is the test
 * file.
 */
export class ModuleMocks {
	#mocks = new Map<string, Mock>();
	#modules: ModuleAccess | null = null;
	#from = '/';

	constructor(private readonly tool: Tool['name']) {}

	connect(modules: ModuleAccess, file: string): void {
		this.#modules = modules;
		this.#from = file;
	}

	/** Resolves paths relative to this file from now on. */
	in(file: string): void {
		this.#from = file;
	}

	mock(specifier: unknown, how?: unknown): void {
		const target = this.#resolve(specifier);
		const factory = typeof how === 'function' ? (how as Factory) : null;
		const type = Reflect.get(Object(how), 'spy') === true ? 'autospy' : 'automock';
		this.#mocks.set(target, { specifier: String(specifier), factory, type });
	}

	unmock(specifier: unknown): void {
		this.#mocks.delete(this.#resolve(specifier));
	}

	importActual(specifier: unknown): Promise<unknown> {
		return this.#access().actual(this.#resolve(specifier));
	}

	requireActual(specifier: unknown): unknown {
		return this.#access().requireActual(this.#resolve(specifier));
	}

	async importMock(specifier: unknown): Promise<unknown> {
		const target = this.#resolve(specifier);
		return (await this.find(target, 'import'))?.value ?? this.#automock(target, 'automock');
	}

	requireMock(specifier: unknown): unknown {
		const target = this.#resolve(specifier);
		const found = this.find(target, 'require');
		return found && !(found instanceof Promise) ? found.value : this.#automock(target, 'automock');
	}

	/** Makes later imports evaluate modules again. Jest also recreates the replacements. */
	resetModules(): void {
		this.#access().forget();
		if (this.tool === 'jest') for (const mock of this.#mocks.values()) delete mock.made;
	}

	isolate(work: () => void): void {
		this.#access().isolate(work);
	}

	find: Replacements['find'] = (target, seenBy) => {
		const mock = this.#mocks.get(target);
		if (!mock) return undefined;
		const seen = ({ value }: { value: unknown }) => {
			if (seenBy === 'require') return { value };
			if (mock.factory) return { value: importedView(value, mock.specifier, this.tool) };
			return { value: mock.isCommonJs ? importedView(value, mock.specifier, 'jest') : value };
		};
		const made = mock.made ?? mock.making ?? this.#make(target, mock);
		return made instanceof Promise ? made.then(seen) : seen(made);
	};

	#make(target: string, mock: Mock): { value: unknown } | Promise<{ value: unknown }> {
		const value = mock.factory ? this.#run(target, mock, mock.factory) : this.#automock(target, mock.type, mock);
		if (!(value instanceof Promise)) return (mock.made = { value });
		mock.making = value.then((arrived: unknown) => (mock.made = { value: arrived }));
		return mock.making;
	}

	#run(target: string, { specifier }: Mock, factory: Factory): unknown {
		const explain = (error: unknown): never => {
			if (!(error instanceof ReferenceError)) throw error;
			const sentence = `There was an error when mocking "${specifier}": ${error.message}. The call is hoisted to the top of the file, above its variables: make what the factory needs with ${this.tool === 'vitest' ? 'vi.hoisted' : 'names that are there by then'}.`;
			throw new Error(sentence, { cause: error });
		};
		try {
			const value = factory(() => this.#access().actual(target));
			return value instanceof Promise ? value.catch(explain) : value;
		} catch (error) {
			return explain(error);
		}
	}

	/** Returns the file in `__mocks__` next to the module, otherwise the module with its functions replaced. */
	#automock(target: string, type: Mock['type'], mock?: Mock): unknown {
		const modules = this.#access();
		const manual = this.#manual(target);
		const actual = modules.requireActual(manual ?? target);
		if (mock) mock.isCommonJs = Object.prototype.toString.call(actual) !== '[object Module]';
		if (manual) return actual;
		const globalConstructors = { Object, Function, RegExp, Array, Map };
		return mockObject({ type, globalConstructors, createMockInstance }, Object(actual), {});
	}

	#manual(target: string): string | undefined {
		const slash = target.lastIndexOf('/');
		const name = target.slice(slash + 1);
		const beside = `${target.slice(0, slash)}/__mocks__/${name}`;
		return this.#access().isFile(beside) ? beside : undefined;
	}

	#resolve(specifier: unknown): string {
		if (typeof specifier !== 'string')
			throw new TypeError(`A module is named by its path, not by ${typeof specifier}.`);
		return this.#access().resolve(specifier, this.#from);
	}

	#access(): ModuleAccess {
		if (!this.#modules) throw new Error('Modules can only be replaced in test files and setup files.');
		return this.#modules;
	}
}
