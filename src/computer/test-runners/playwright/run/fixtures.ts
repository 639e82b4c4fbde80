import type { TestInfo } from './test-info.ts';

type FixtureFunction = (fixtures: never, use: (value: unknown) => Promise<void>, info: TestInfo) => unknown;

interface Fixture {
	name: string;
	/** A function that provides the value, or the value itself. */
	value: unknown;
	scope: 'test' | 'worker';
	isAuto: boolean;
	isOption: boolean;
	/** Fixture that was replaced by `test.extend`. */
	previous: Fixture | null;
}

interface FixtureOptions {
	scope?: 'test' | 'worker';
	auto?: boolean;
	option?: boolean;
}

/** Fixtures known to a `test`, including all its `extend` calls. */
export class FixtureTable {
	constructor(private readonly fixtures: ReadonlyMap<string, Fixture> = new Map()) {}

	extend(given: Record<string, unknown>): FixtureTable {
		const all = new Map(this.fixtures);
		for (const [name, entry] of Object.entries(given)) {
			const isTuple = Array.isArray(entry) && entry.length === 2 && isOptions(entry[1]);
			const [value, options] = (isTuple ? entry : [entry, {}]) as [unknown, FixtureOptions];
			const previous = all.get(name) ?? null;
			const {
				scope = previous?.scope ?? 'test',
				auto = previous?.isAuto ?? false,
				option = previous?.isOption ?? false
			} = options;
			all.set(name, { name, value, scope, isAuto: auto, isOption: option, previous });
		}
		return new FixtureTable(all);
	}

	/** Returns a table with the values that `use` sets instead of the options' defaults. */
	withOptions(use: Record<string, unknown>): FixtureTable {
		const set = Object.entries(use).filter(([name, value]) => value !== undefined && this.fixtures.get(name)?.isOption);
		return set.length === 0 ? this : this.extend(Object.fromEntries(set));
	}

	get(name: string): Fixture | undefined {
		return this.fixtures.get(name);
	}

	get auto(): string[] {
		return [...this.fixtures.values()].filter(({ isAuto }) => isAuto).map(({ name }) => name);
	}
}

const isOptions = (value: unknown): boolean =>
	typeof value === 'object' &&
	value !== null &&
	['scope', 'auto', 'option', 'timeout', 'title', 'box'].some((key) => key in value);

interface Live {
	value: unknown;
	end(): Promise<void>;
}

/** Fixtures that are set up, each once, in the order in which they were requested. */
export class FixturePool {
	readonly #live = new Map<Fixture, Live>();

	/** @param outer fixtures that live longer: those of the worker */
	constructor(
		private readonly scope: 'test' | 'worker',
		private readonly outer: FixturePool | null
	) {}

	/** Values for a function's first parameter. @throws Error naming an unknown fixture */
	async valuesFor(
		call: (...given: never[]) => unknown,
		table: FixtureTable,
		info: TestInfo
	): Promise<Record<string, unknown>> {
		const names = fixtureNames(call);
		const values: Record<string, unknown> = {};
		for (const name of names) values[name] = await this.#value(this.#known(name, table), table, info);
		return values;
	}

	async setUpAuto(table: FixtureTable, info: TestInfo): Promise<void> {
		for (const name of table.auto) await this.#value(this.#known(name, table), table, info);
	}

	/** Tears down in reverse order. @returns errors thrown meanwhile */
	async tearDown(): Promise<unknown[]> {
		const errors: unknown[] = [];
		for (const live of [...this.#live.values()].reverse()) {
			try {
				await live.end();
			} catch (error) {
				errors.push(error);
			}
		}
		this.#live.clear();
		return errors;
	}

	#known(name: string, table: FixtureTable): Fixture {
		const fixture = table.get(name);
		if (!fixture) throw new Error(`Test has unknown parameter "${name}".`);
		if (fixture.scope === 'test' && this.scope === 'worker')
			throw new Error(
				`"${name}" fixture is not supported in "beforeAll" and "afterAll" hooks, nor in worker fixtures: it is created for each test.`
			);
		return fixture;
	}

	async #value(fixture: Fixture, table: FixtureTable, info: TestInfo): Promise<unknown> {
		if (fixture.scope === 'worker' && this.outer) return this.outer.#value(fixture, table, info);
		const known = this.#live.get(fixture);
		if (known) return known.value;
		const live =
			typeof fixture.value === 'function' ? await this.#start(fixture, table, info) : await this.#overridden(fixture);
		this.#live.set(fixture, live);
		return live.value;
	}

	#overridden({ value }: Fixture): Promise<Live> {
		return Promise.resolve({ value, end: () => Promise.resolve() });
	}

	async #start(fixture: Fixture, table: FixtureTable, info: TestInfo): Promise<Live> {
		const call = fixture.value as FixtureFunction;
		const given: Record<string, unknown> = {};
		for (const name of fixtureNames(call)) {
			// A fixture that requests its own name gets the one it replaced.
			const wanted = name === fixture.name ? fixture.previous : this.#known(name, table);
			if (!wanted) throw new Error(`Fixture "${name}" asks for itself.`);
			given[name] = await this.#value(wanted, table, info);
		}
		return new Promise((resolve, reject) => {
			let release = (): void => {};
			const held = new Promise<void>((end) => (release = end));
			let isUsed = false;
			const use = (value: unknown): Promise<void> => {
				isUsed = true;
				resolve({ value, end: () => (release(), done) });
				return held;
			};
			const done = Promise.resolve(call(given as never, use, info)).then(() => {
				if (!isUsed) throw new Error(`use() was not called in fixture "${fixture.name}"`);
			});
			done.catch(reject);
		});
	}
}

/** Names that a function destructures from its first parameter. */
export function fixtureNames(call: (...given: never[]) => unknown): string[] {
	const source = String(call).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
	const pattern = /^(?:async\s*)?(?:function\s*\*?\s*)?[\w$]*\s*\(?\s*\{([^]*)/.exec(source)?.[1];
	if (pattern === undefined) return [];
	const names: string[] = [];
	let depth = 0;
	let word = '';
	for (const sign of pattern) {
		if (depth === 0 && (sign === ',' || sign === '}')) {
			const name = /^\s*([\w$]+)/.exec(word)?.[1];
			if (name !== undefined) names.push(name);
			word = '';
			if (sign === '}') return names;
			continue;
		}
		if ('{[('.includes(sign)) depth++;
		if ('}])'.includes(sign)) depth--;
		word += sign;
	}
	return names;
}
