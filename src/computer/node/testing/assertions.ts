import type { Runtime } from '../runtime/runtime.ts';
import { functionValue, string } from '../runtime/validate.ts';
import { createAssert } from '../modules/assert/index.ts';
import { Snapshots } from './snapshots.ts';

type Assertion = (...args: unknown[]) => unknown;

/** Names of `node:assert` that a test's `assert` does not have. */
const ABSENT = new Set(['strict']);

/** Assertions of tests: `node:assert`, snapshots, and what the program registered. */
export class TestAssertions {
	readonly snapshots: Snapshots;
	readonly #registered = new Map<string, Assertion>();
	#assert: object | null = null;

	constructor(private readonly runtime: Runtime) {
		this.snapshots = new Snapshots(runtime, (actual, expected) => {
			(Reflect.get(this.#module, 'strictEqual') as Assertion)(actual, expected);
		});
	}

	/** `node:assert`, created for the first test that asserts. */
	get #module(): object {
		return (this.#assert ??= createAssert(this.runtime));
	}

	/** `assert.register` of `node:test`. @throws ERR_INVALID_ARG_TYPE */
	readonly register = (name: unknown, assertion: unknown): void => {
		string(name, 'name');
		functionValue(assertion, 'fn');
		this.#registered.set(String(name), assertion as Assertion);
	};

	/**
	 * Creates `t.assert`.
	 * @param context what registered functions are called on
	 * @param counted called for each assertion
	 */
	of(context: { readonly fullName: string }, counted: () => void): object {
		const { snapshots } = this;
		const assertions: Record<string, Assertion> = {
			snapshot: (value, options) => snapshots.compare(context.fullName, value, options as object),
			fileSnapshot: (value, path, options) => snapshots.compareFile(value, path, options as object)
		};
		for (const [name, value] of Object.entries(this.#module) as [string, unknown][])
			if (typeof value === 'function' && /^[a-z]/.test(name) && !ABSENT.has(name))
				assertions[name] = value as Assertion;
		for (const [name, value] of this.#registered) assertions[name] = value;
		const wrapped = Object.entries(assertions).map(([name, assertion]) => [
			name,
			(...args: unknown[]) => {
				counted();
				return Reflect.apply(assertion, context, args);
			}
		]);
		return Object.fromEntries(wrapped) as object;
	}
}
