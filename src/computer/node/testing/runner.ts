import { TestAssertions } from './assertions.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createContext, type TestContext } from './context.ts';
import { count, isFatal, noCounts, type TestEvent, type TestResult } from './events.ts';
import { failureReport, runnerError, type FailureReport } from './failure.ts';
import { type Failure, type Hook, TestItem, type TestFunction } from './item.ts';
import { compilePatterns } from './patterns.ts';
import { nowMs } from '../runtime/clock.ts';

const nothing = () => undefined;

/**
 * Turns of the microtask queue before the first test. As in Node, it starts behind the code next to it in the file, and
 * ahead of timers, `setImmediate` and whatever the file waits for.
 */
const TURNS_BEFORE_FIRST = 4;

/** Runs the tests of one file, in order, and reports them. */
export class TestRunner {
	readonly root = new TestItem('root', '<root>', {}, nothing, null, null);
	readonly counts = noCounts();
	readonly assertions: TestAssertions;
	readonly #queue: TestItem[] = [];
	#running = false;
	#current: { item: TestItem; reject: (error: unknown) => void }[] = [];
	readonly #startedMs = nowMs();
	#done = false;
	#hasFailed = false;
	readonly #selected: (item: TestItem) => boolean;

	constructor(
		readonly runtime: Runtime,
		readonly report: (event: TestEvent) => void
	) {
		this.assertions = new TestAssertions(runtime);
		this.#selected = compilePatterns(runtime.process.execArgv);
	}

	/** Queues a top-level test: it runs behind the code next to it, when earlier tests have ended. */
	enqueue(item: TestItem): void {
		this.#queue.push(item);
		if (this.#running) return;
		this.#running = true;
		void this.#work();
	}

	/** Returns whether {@link finish} has something to do: it is called again after each time that it had. */
	get hasToFinish(): boolean {
		return !this.#done && (this.#current.length > 0 || !this.#running);
	}

	/**
	 * Called when nothing is pending: unfinished tests will never end. Reports the summary; returns true if there was
	 * one.
	 */
	async finish(): Promise<boolean> {
		if (this.#done) return false;
		const stuck = this.#current.splice(0).reverse();
		if (stuck.length > 0) {
			for (const { reject } of stuck) {
				const words = 'Promise resolution is still pending but the event loop has already resolved';
				reject(runnerError('cancelledByParent', words));
			}
			return true;
		}
		if (this.#running) return true;
		this.#done = true;
		await this.#runRootAfter();
		const durationMs = nowMs() - this.#startedMs;
		this.report({ type: 'summary', counts: this.counts, durationMs, success: !this.#hasFailed });
		if (this.#hasFailed) this.runtime.process.exitCode ??= 1;
		return true;
	}

	/** Fails the running test with an uncaught error. Returns false if no test is running. */
	failCurrent(error: unknown): boolean {
		const current = this.#current.at(-1);
		current?.reject(error);
		return current !== undefined;
	}

	async #work(): Promise<void> {
		for (let turn = 0; turn < TURNS_BEFORE_FIRST; turn++) await null;
		while (this.#queue.length > 0) {
			for (let item = this.#queue.shift(); item; item = this.#queue.shift()) await this.run(item);
			// Not when the program ends: a server that such a hook closes keeps it from ending.
			await this.#runRootAfter();
		}
		this.#running = false;
	}

	/** Runs each `after` hook of the file once. Tests may still be declared afterwards. */
	async #runRootAfter(): Promise<void> {
		const failure = await this.#hooks(this.root.hooks.after.splice(0), {});
		if (failure) this.#reportFileFailure(failure.error);
	}

	async run(item: TestItem): Promise<void> {
		if (item.kind === 'suite') await this.#suite(item);
		else await this.#test(item);
		item.finish();
	}

	async #suite(item: TestItem): Promise<void> {
		const startedMs = nowMs();
		let failure: Failure | null = null;
		if (!item.options.skip) {
			try {
				await item.run.call({ name: item.name }, { name: item.name });
			} catch (error) {
				failure = { error };
			}
			if (!failure && item.children.length > 0 && !item.children.some((child) => this.#selected(child))) return;
			this.report({ type: 'start', name: item.name, nesting: item.nesting });
			failure ??= inHook('before', await this.#beforeHooks(item.lineage, { name: item.name }));
			for (const child of item.children) {
				if (failure) await this.#cancel(child);
				else await this.run(child);
			}
			failure = inHook('after', await this.#hooks(item.hooks.after, { name: item.name })) ?? failure;
		} else this.report({ type: 'start', name: item.name, nesting: item.nesting });
		this.#result(item, startedMs, failure);
	}

	/** Reports a test that its suite does not run. */
	async #cancel(item: TestItem): Promise<void> {
		this.report({ type: 'start', name: item.name, nesting: item.nesting });
		for (const child of item.children) await this.#cancel(child);
		const words = 'test did not finish before its parent and was cancelled';
		this.#result(item, null, { error: runnerError('cancelledByParent', words) });
		item.finish();
	}

	async #test(item: TestItem): Promise<void> {
		if (!this.#selected(item)) return;
		this.report({ type: 'start', name: item.name, nesting: item.nesting });
		const startedMs = nowMs();
		if (item.options.skip) return this.#result(item, startedMs, null);
		const context = createContext(this, item);
		const ancestors = item.lineage.slice(0, -1);
		let failure = inHook('before', await this.#beforeHooks(ancestors, context));
		for (const ancestor of ancestors)
			failure ??= inHook('beforeEach', await this.#hooks(ancestor.hooks.beforeEach, context));
		failure ??= await this.#attempt(item, item.run, context, item.options.timeout ?? Infinity);
		for (const child of item.children) await child.finished;
		failure ??= inHook('before', await this.#beforeHooks([item], context)) ?? context.planFailure();
		failure = failure ?? inHook('after', await this.#hooks(item.hooks.after, context));
		for (const ancestor of [...ancestors].reverse()) {
			const after = inHook('afterEach', await this.#hooks(ancestor.hooks.afterEach, context));
			failure ??= after;
		}
		context.close();
		this.#result(item, startedMs, failure, context);
		for (const message of context.messages) this.report({ type: 'diagnostic', message, nesting: item.nesting });
	}

	/** Runs a `before` hook, with the argument that a test or suite gets. */
	startHook(hook: Hook, context: object): Promise<Failure | null> {
		hook.outcome ??= this.#attempt(null, hook.run, context, hook.timeoutMs);
		return hook.outcome;
	}

	/** Runs the `before` hooks of items, unless an earlier test has, and waits for those that run. */
	async #beforeHooks(items: TestItem[], context: object): Promise<Failure | null> {
		for (const item of items) {
			item.hasStarted = true;
			for (const hook of item.hooks.before) {
				const failure = await this.startHook(hook, context);
				if (failure) return failure;
			}
		}
		return null;
	}

	async #hooks(hooks: Hook[], context: object): Promise<Failure | null> {
		for (const hook of hooks) {
			const failure = await this.#attempt(null, hook.run, context, hook.timeoutMs);
			if (failure) return failure;
		}
		return null;
	}

	/** Runs a test or hook, with a callback, a promise or neither. */
	async #attempt(item: TestItem | null, run: TestFunction, context: object, timeoutMs: number) {
		const entry: { item: TestItem; reject: (error: unknown) => void } = { item: item ?? this.root, reject: nothing };
		const { setTimeout, clearTimeout } = this.runtime.timers;
		let timer: unknown;
		try {
			await new Promise<void>((resolve, reject) => {
				entry.reject = reject;
				this.#current.push(entry);
				if (timeoutMs < Infinity) {
					const words = `test timed out after ${timeoutMs}ms`;
					timer = setTimeout(() => reject(runnerError('testTimeoutFailure', words)), timeoutMs);
				}
				if (run.length >= 2) {
					const done = (error?: unknown) => (error ? reject(error as Error) : resolve());
					const result = run.call(context, context, done);
					if (result instanceof Promise)
						reject(runnerError('callbackAndPromisePresent', 'passed a callback but also returned a Promise'));
				} else Promise.resolve(run.call(context, context)).then(() => resolve(), reject);
			});
			return null;
		} catch (error) {
			return { error };
		} finally {
			clearTimeout(timer);
			this.#current = this.#current.filter((other) => other !== entry);
		}
	}

	/** @param startedMs null if it did not start */
	#result(item: TestItem, startedMs: number | null, failure: Failure | null, context?: TestContext): void {
		const skip = context?.skipped ?? (item.options.skip || null);
		const todo = context?.marked ?? (item.options.todo || null);
		const inherited = !failure && item.failedInside > 0;
		const words = `${item.failedInside} subtest${item.failedInside === 1 ? '' : 's'} failed`;
		const result: TestResult = {
			type: 'result',
			name: item.name,
			nesting: item.nesting,
			passed: !failure && !inherited,
			suite: item.kind === 'suite',
			skip,
			todo,
			durationMs: startedMs === null ? 0 : nowMs() - startedMs,
			place: item.place,
			failure: reportOf(failure, inherited ? words : null),
			inherited
		};
		if (isFatal(result) && item.parent) item.parent.failedInside++;
		this.#hasFailed ||= isFatal(result);
		count(this.counts, result);
		this.report(result);
	}

	#reportFileFailure(error: unknown): void {
		this.#result(new TestItem('test', '<root> after hook', {}, nothing, this.root, null), nowMs(), { error });
	}
}

/** @param inherited words about the failed tests inside, if it failed because of them */
function reportOf(failure: Failure | null, inherited: string | null): FailureReport | null {
	if (inherited !== null) return failureReport(inherited, 'subtestsFailed');
	if (!failure) return null;
	const words = failure.hook && `failed running ${failure.hook} hook`;
	return failureReport(failure.error, failure.kind ?? 'testCodeFailure', words);
}

/** Marks the failure of a hook. */
const inHook = (hook: Failure['hook'], failure: Failure | null): Failure | null =>
	failure && { ...failure, kind: 'hookFailed', hook };
