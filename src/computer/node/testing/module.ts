import type { Runtime } from '../runtime/runtime.ts';
import { placeOfCaller } from './context.ts';
import { CHILD_VARIABLE, EVENT_MARK, type TestEvent } from './events.ts';
import { testArguments, TestItem, type TestFunction, type TestOptions } from './item.ts';
import { MockTracker } from './mock.ts';
import { parseOptions } from '../options.ts';
import { chosenReporters } from './reporters/chosen.ts';
import { createRun } from './run.ts';
import { TestRunner } from './runner.ts';

/** `node:test`. */
export function createTestModule(runtime: Runtime): object {
	const { process } = runtime;
	const send = (event: TestEvent) => void process.stdout.write(`${EVENT_MARK}${JSON.stringify(event)}\n`);
	const report = process.env[CHILD_VARIABLE] ? send : reporterFor(runtime);
	const runner = new TestRunner(runtime, report);
	let suite: TestItem | null = null;
	/**
	 * Suites whose function awaits: tests declared afterwards, in a later turn, belong to them. The innermost is last.
	 */
	const awaiting: TestItem[] = [];
	const currentSuite = () => suite ?? awaiting.at(-1) ?? null;

	let isBegun = false;
	/** A program that loads the module without declaring tests prints nothing about tests. */
	const begin = () => {
		if (isBegun) return;
		isBegun = true;
		process.on('beforeExit', () => runner.hasToFinish && void runtime.loop.holdWhile(runner.finish()));
		process.on('uncaughtException', (error: unknown) => {
			if (!runner.failCurrent(error)) runtime.fatal(error);
		});
	};
	if (process.env[CHILD_VARIABLE]) begin();

	const add = (kind: 'test' | 'suite', args: unknown[], extra: TestOptions): Promise<void> => {
		begin();
		const { name, options, run } = testArguments(args);
		const all = { ...options, ...extra, ...(run || extra.todo ? {} : { skip: extra.skip ?? true }) };
		const around = currentSuite();
		const parent = around ?? runner.root;
		const item: TestItem = new TestItem(kind, name, all, run ?? (() => undefined), parent, placeOfCaller());
		if (kind === 'suite') collect(item);
		if (around) around.children.push(item);
		else runner.enqueue(item);
		return item.finished;
	};

	/** A suite's function runs immediately and only collects tests. Async ones are awaited when their turn comes. */
	const collect = (item: TestItem) => {
		if (item.options.skip) return;
		const outer = suite;
		suite = item;
		let outcome: () => unknown;
		let isAwaiting = false;
		// Before the suite continues after its first `await`, and after the code next to the suite in the file.
		queueMicrotask(() => isAwaiting && awaiting.push(item));
		try {
			const result: unknown = item.run.call({ name: item.name }, { name: item.name });
			outcome = () => result;
			if (result instanceof Promise) {
				isAwaiting = true;
				const ended = () => {
					isAwaiting = false;
					if (awaiting.includes(item)) awaiting.splice(awaiting.indexOf(item), 1);
				};
				result.then(ended, ended);
			}
		} catch (error) {
			outcome = () => {
				throw error;
			};
		} finally {
			suite = outer;
		}
		Object.assign(item, { run: outcome });
	};

	const variants = (kind: 'test' | 'suite') => {
		const call = (...args: unknown[]) => add(kind, args, {});
		return Object.assign(call, {
			skip: (...args: unknown[]) => add(kind, args, { skip: true }),
			todo: (...args: unknown[]) => add(kind, args, { todo: true }),
			only: (...args: unknown[]) => add(kind, args, { only: true })
		});
	};
	const hook =
		(name: 'before' | 'after' | 'beforeEach' | 'afterEach') => (run: TestFunction, options?: TestOptions) => {
			begin();
			const owner = currentSuite() ?? runner.root;
			const added = { run, timeoutMs: options?.timeout ?? Infinity };
			owner.hooks[name].push(added);
			if (name === 'before' && owner.hasStarted) void runner.startHook(added, { name: owner.name });
		};

	const test = variants('test');
	const describe = variants('suite');
	return Object.assign(test, {
		test,
		it: variants('test'),
		describe,
		suite: describe,
		before: hook('before'),
		after: hook('after'),
		beforeEach: hook('beforeEach'),
		afterEach: hook('afterEach'),
		run: createRun(runtime, () => process.env[CHILD_VARIABLE] !== undefined),
		mock: new MockTracker(runtime),
		assert: { register: runner.assertions.register },
		snapshot: runner.assertions.snapshots.settings
	});
}

function reporterFor(runtime: Runtime): (event: TestEvent) => void {
	const { reporters, destinations } = parseOptions(runtime.process.execArgv).test;
	return chosenReporters(runtime, reporters, destinations);
}
