import type { FixtureTable } from './fixtures.ts';
import type { UseOptions } from '../browser/session.ts';
import type { Annotation, TestInfo } from './test-info.ts';

/** Place in a file of the project. */
export interface Place {
	file: string;
	line: number;
	column: number;
}

export type TestFunction = (fixtures: never, info: TestInfo) => unknown;
export type HookKind = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll';

export interface Hook {
	kind: HookKind;
	call: TestFunction;
	place: Place;
	table: FixtureTable;
}

/** Change of a test's expectation: it is skipped, or is expected to fail, or may take longer. */
export interface Modifier {
	kind: 'skip' | 'fixme' | 'fail' | 'slow';
	/** Absent: always. A function is called with the fixtures it names. */
	condition?: unknown;
	description?: string | undefined;
}

/** A file's tests, or a `describe` in it. */
export class Suite {
	readonly entries: (Suite | TestCase)[] = [];
	readonly hooks: Hook[] = [];
	readonly modifiers: Modifier[] = [];
	use: UseOptions = {};
	isOnly = false;
	isSerial = false;
	timeoutMs: number | undefined;
	retries: number | undefined;
	readonly tags: string[] = [];

	constructor(
		readonly title: string,
		readonly parent: Suite | null
	) {}

	/** Suites from the file's own suite to this one. */
	path(): Suite[] {
		return [...(this.parent?.path() ?? []), this];
	}

	tests(): TestCase[] {
		return this.entries.flatMap((entry) => (entry instanceof Suite ? entry.tests() : [entry]));
	}

	hooksOf(kind: HookKind): Hook[] {
		return this.hooks.filter((hook) => hook.kind === kind);
	}
}

/** One test as declared. */
export interface TestCase {
	title: string;
	suite: Suite;
	place: Place;
	call: TestFunction;
	table: FixtureTable;
	modifiers: Modifier[];
	annotations: Annotation[];
	tags: string[];
	isOnly: boolean;
}

/** Titles from the outermost `describe` to the test. */
export function titlesOf({ suite, title }: TestCase): string[] {
	return [...suite.path().flatMap((each) => (each.parent && each.title !== '' ? [each.title] : [])), title];
}
