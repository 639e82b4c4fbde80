import { notThere } from '../browser/not-there.ts';
import { PROJECT_FRAME } from '../browser/api-call.ts';
import type { UseOptions } from '../browser/session.ts';
import type { FixtureTable } from './fixtures.ts';
import { Suite, type HookKind, type Modifier, type Place, type TestFunction } from './suite.ts';
import type { Annotation, TestInfo } from './test-info.ts';

interface Details {
	tag?: string | string[];
	annotation?: Annotation | Annotation[];
}

/** The suite being declared and the running test, for every `test` of a run. */
export class Declaration {
	suite: Suite | null = null;
	running: TestInfo | null = null;
	/** Directory of the project: places are only searched in it. */
	root = '/';

	/** @param columnOf returns the column of the declaration in a line of a file */
	constructor(private readonly columnOf: (file: string, line: number) => number) {}

	current(): Suite {
		if (!this.suite)
			throw new Error(
				'Playwright Test did not expect test() to be called here: tests are declared while their file is loaded.'
			);
		return this.suite;
	}

	info(): TestInfo {
		if (!this.running) throw new Error('test.info() can only be called while test is running');
		return this.running;
	}

	place(): Place {
		// The running code has the file's lines, but not its columns.
		for (const line of (new Error('here').stack ?? '').split('\n')) {
			const [, file, row] = PROJECT_FRAME.exec(line.trim()) ?? [];
			const path = file?.replace(/^file:\/\//, '');
			if (path?.startsWith(`${this.root}/`) && !path.includes('/node_modules/'))
				return { file: path, line: Number(row), column: this.columnOf(path, Number(row)) };
		}
		return { file: '', line: 0, column: 0 };
	}
}

/** Creates `test`, whose functions receive the fixtures of a table. */
export function createTest(state: Declaration, table: FixtureTable, expect: object): object {
	const declare = (kind: Modifier['kind'] | 'only' | null, title: string, rest: unknown[]): void => {
		const [call, details] = splitDetails(rest);
		const suite = state.current();
		const tags = [...tagsOf(title), ...[details.tag ?? []].flat()];
		suite.entries.push({
			title,
			suite,
			place: state.place(),
			call,
			table,
			modifiers: kind === null || kind === 'only' ? [] : [{ kind }],
			annotations: [details.annotation ?? []].flat(),
			tags,
			isOnly: kind === 'only'
		});
	};
	const test = (title: string, ...rest: unknown[]): void => declare(null, title, rest);
	/** `test.skip('title', …)` declares a test; `test.skip(condition)` changes the suite, or the running test. */
	const modifier =
		(kind: Modifier['kind']) =>
		(first?: unknown, ...rest: unknown[]): void => {
			if (typeof first === 'string' && rest.some((each) => typeof each === 'function'))
				return declare(kind, first, rest);
			const [description] = rest as [string?];
			if (state.running)
				return state.running[kind](
					first === undefined ? true : typeof first === 'function' ? first({}) : first,
					description
				);
			state.current().modifiers.push({ kind, ...(first === undefined ? {} : { condition: first }), description });
		};
	const hook =
		(kind: HookKind) =>
		(...given: unknown[]): void => {
			const call = given.find((each) => typeof each === 'function') as TestFunction;
			state.current().hooks.push({ kind, call, place: state.place(), table });
		};
	return Object.assign(test, {
		only: (title: string, ...rest: unknown[]) => declare('only', title, rest),
		skip: modifier('skip'),
		fixme: modifier('fixme'),
		fail: Object.assign(modifier('fail'), {
			only: (title: string, ...rest: unknown[]) => declare('fail', title, rest)
		}),
		slow: modifier('slow'),
		describe: createDescribe(state),
		beforeAll: hook('beforeAll'),
		beforeEach: hook('beforeEach'),
		afterEach: hook('afterEach'),
		afterAll: hook('afterAll'),
		use: (options: UseOptions) => void (state.current().use = { ...state.current().use, ...options }),
		setTimeout: (timeoutMs: number) => {
			if (state.running) state.running.setTimeout(timeoutMs);
			else state.current().timeoutMs = timeoutMs;
		},
		step: Object.assign((title: string, work: () => unknown) => step(state, title, work), {
			skip: (title: string) => void title
		}),
		info: () => state.info(),
		extend: (fixtures: Record<string, unknown>) => createTest(state, table.extend(fixtures), expect),
		expect
	});
}

function createDescribe(state: Declaration): object {
	const describe =
		(change: (suite: Suite) => void) =>
		(first: unknown, ...rest: unknown[]): void => {
			const title = typeof first === 'string' ? first : '';
			const call = [first, ...rest].find((each) => typeof each === 'function') as (() => void) | undefined;
			const details = rest.find((each): each is Details => typeof each === 'object' && each !== null);
			const parent = state.current();
			const suite = new Suite(title, parent);
			suite.tags.push(...tagsOf(title), ...[details?.tag ?? []].flat());
			change(suite);
			parent.entries.push(suite);
			state.suite = suite;
			try {
				call?.();
			} finally {
				state.suite = parent;
			}
		};
	const plain = describe(() => {});
	const serial = Object.assign(
		describe((suite) => void (suite.isSerial = true)),
		{
			only: describe((suite) => void (suite.isSerial = suite.isOnly = true)),
			skip: describe((suite) => void suite.modifiers.push({ kind: 'skip' }))
		}
	);
	return Object.assign(plain, {
		only: describe((suite) => void (suite.isOnly = true)),
		skip: describe((suite) => void suite.modifiers.push({ kind: 'skip' })),
		fixme: describe((suite) => void suite.modifiers.push({ kind: 'fixme' })),
		serial,
		parallel: Object.assign(
			describe(() => {}),
			{ only: describe((suite) => void (suite.isOnly = true)) }
		),
		configure: ({ mode, retries, timeout }: { mode?: string; retries?: number; timeout?: number }) => {
			const suite = state.current();
			if (mode === 'serial') suite.isSerial = true;
			if (retries !== undefined) suite.retries = retries;
			if (timeout !== undefined) suite.timeoutMs = timeout;
		}
	});
}

async function step(state: Declaration, title: string, work: () => unknown): Promise<unknown> {
	const started = performance.now();
	const record = (error: string | null): void =>
		void state.info().steps.push({ title, durationMs: performance.now() - started, error });
	try {
		const value = await work();
		record(null);
		return value;
	} catch (error) {
		record(error instanceof Error ? error.message : String(error));
		throw error;
	}
}

function splitDetails(rest: unknown[]): [TestFunction, Details] {
	const call = rest.find((each) => typeof each === 'function');
	if (!call) throw notThere('A test without a function');
	const details = rest.find((each): each is Details => typeof each === 'object' && each !== null);
	return [call as TestFunction, details ?? {}];
}

const tagsOf = (title: string): string[] => title.match(/@[\S]+/g) ?? [];
