import { positionOf } from '../runtime/stack.ts';
import type { TestAssertions } from './assertions.ts';
import { runnerError } from './failure.ts';
import { testArguments, TestItem, type Hook, type TestOptions, type TestFunction } from './item.ts';
import { MockTracker } from './mock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { nowMs } from '../runtime/clock.ts';

/** Runs tests started by a test function. */
export interface ItemRunner {
	readonly runtime: Runtime;
	readonly assertions: TestAssertions;
	run(item: TestItem): Promise<void>;
	startHook(hook: Hook, context: object): Promise<unknown>;
}

/** `t`: the argument of a test function. */
export class TestContext {
	readonly #runner: ItemRunner;
	readonly #item: TestItem;
	readonly #abort = new AbortController();
	#planned: number | null = null;
	#checked = 0;
	#mock: MockTracker | null = null;
	#assert: object | null = null;
	readonly name: string;
	readonly messages: string[] = [];
	skipped: string | true | null = null;
	marked: string | true | null = null;

	constructor(runner: ItemRunner, item: TestItem) {
		this.#runner = runner;
		this.#item = item;
		this.name = item.name;
		if (item.options.plan !== undefined) this.plan(item.options.plan);
		for (const name of ['messages', 'skipped', 'marked'] as const) {
			Object.defineProperty(this, name, { enumerable: false, writable: true });
		}
	}

	get fullName(): string {
		return this.#item.lineage
			.slice(1)
			.map((item) => item.name)
			.join(' > ');
	}

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	get filePath(): string | undefined {
		return this.#runner.runtime.process.argv[1];
	}

	get mock(): MockTracker {
		this.#mock ??= new MockTracker(this.#runner.runtime);
		return this.#mock;
	}

	/** Assertions, counting towards the plan. */
	get assert(): object {
		this.#assert ??= this.#runner.assertions.of(this, () => this.#checked++);
		return this.#assert;
	}

	readonly test = (...args: unknown[]): Promise<void> => this.#subtest(args, {});
	get it() {
		return this.test;
	}

	before(run: TestFunction, options?: TestOptions): void {
		const hook = { run, timeoutMs: options?.timeout ?? Infinity };
		this.#item.hooks.before.push(hook);
		void this.#runner.startHook(hook, this);
	}
	after(run: TestFunction, options?: TestOptions): void {
		this.#item.hooks.after.push({ run, timeoutMs: options?.timeout ?? Infinity });
	}
	beforeEach(run: TestFunction, options?: TestOptions): void {
		this.#item.hooks.beforeEach.push({ run, timeoutMs: options?.timeout ?? Infinity });
	}
	afterEach(run: TestFunction, options?: TestOptions): void {
		this.#item.hooks.afterEach.push({ run, timeoutMs: options?.timeout ?? Infinity });
	}
	diagnostic(message: string): void {
		this.messages.push(message);
	}
	skip(reason?: string): void {
		this.skipped = reason ?? true;
	}
	todo(reason?: string): void {
		this.marked = reason ?? true;
	}
	plan(count: number): void {
		this.#planned = count;
	}
	runOnly(): void {}

	async waitFor(condition: () => unknown, options: { interval?: number; timeout?: number } = {}): Promise<unknown> {
		const until = nowMs() + (options.timeout ?? 1000);
		for (;;) {
			try {
				return await condition();
			} catch (cause) {
				if (nowMs() > until) throw Object.assign(new Error('waitFor() timed out'), { cause });
			}
			await new Promise((resolve) => this.#runner.runtime.timers.setTimeout(resolve, options.interval ?? 50));
		}
	}

	planFailure(): { error: unknown } | null {
		if (this.#planned === null || this.#planned === this.#checked) return null;
		const words = `plan expected ${this.#planned} assertions but received ${this.#checked}`;
		return { error: runnerError('testCodeFailure', words) };
	}

	close(): void {
		this.#abort.abort();
		this.#mock?.reset();
	}

	async #subtest(args: unknown[], extra: TestOptions): Promise<void> {
		const { name, options, run } = testArguments(args);
		this.#checked++;
		const item = new TestItem(
			'test',
			name,
			{ ...options, ...extra, ...(run ? {} : { skip: true }) },
			run ?? (() => {}),
			this.#item,
			placeOfCaller()
		);
		const before = this.#item.children.at(-1);
		this.#item.children.push(item);
		await before?.finished;
		await this.#runner.run(item);
	}
}

export function createContext(runner: ItemRunner, item: TestItem): TestContext {
	const context = new TestContext(runner, item);
	const test = context.test as typeof context.test & Record<string, unknown>;
	test['skip'] = (...args: unknown[]) => subtestWith(test, args, { skip: true });
	test['todo'] = (...args: unknown[]) => subtestWith(test, args, { todo: true });
	test['only'] = test;
	return context;
}

function subtestWith(test: (...args: unknown[]) => Promise<void>, args: unknown[], extra: TestOptions): Promise<void> {
	const { name, options, run } = testArguments(args);
	return test(name, { ...options, ...extra }, run ?? (() => {}));
}

/** `file:line:column` of the call into `node:test`. */
export function placeOfCaller(): string | null {
	const place = positionOf(new Error());
	return place ? `${place.file.replace(/^file:\/\//, '')}:${place.line}:${place.column}` : null;
}
