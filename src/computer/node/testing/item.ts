import type { FailureType } from './failure-type.ts';

export type TestFunction = (this: unknown, context: unknown, done?: (error?: unknown) => void) => unknown;

export interface TestOptions {
	skip?: boolean | string;
	todo?: boolean | string;
	only?: boolean;
	timeout?: number;
	concurrency?: number | boolean;
	signal?: AbortSignal;
	plan?: number;
}

export interface Hook {
	run: TestFunction;
	timeoutMs: number;
	/** Outcome of a `before` hook, which runs once: every later test waits for it and fails with it. */
	outcome?: Promise<Failure | null>;
}

export interface Failure {
	error: unknown;
	/** Set if it is not the code of the test that failed. */
	kind?: FailureType;
	/** Name of the hook that failed. */
	hook?: keyof TestItem['hooks'];
}

/** One test or suite, with its children. */
export class TestItem {
	readonly children: TestItem[] = [];
	readonly hooks = { before: [] as Hook[], after: [] as Hook[], beforeEach: [] as Hook[], afterEach: [] as Hook[] };
	/** Resolves when it has been reported. */
	readonly finished: Promise<void>;
	finish: () => void = () => {};
	failedInside = 0;
	/** Set once it runs: its `before` hooks registered afterwards run immediately. */
	hasStarted = false;

	constructor(
		readonly kind: 'test' | 'suite' | 'root',
		readonly name: string,
		readonly options: TestOptions,
		readonly run: TestFunction,
		readonly parent: TestItem | null,
		readonly place: string | null
	) {
		this.finished = new Promise((resolve) => (this.finish = resolve));
	}

	get nesting(): number {
		return this.parent ? this.parent.nesting + (this.parent.kind === 'root' ? 0 : 1) : 0;
	}

	get fullName(): string {
		return this.parent && this.parent.kind !== 'root' ? `${this.parent.fullName} ${this.name}` : this.name;
	}

	/** Path from the outermost item to this one. */
	get lineage(): TestItem[] {
		return this.parent ? [...this.parent.lineage, this] : [this];
	}
}

/** The forms `(name?, options?, fn?)`. */
export function testArguments(args: unknown[]): { name: string; options: TestOptions; run: TestFunction | null } {
	const queue = [...args];
	const named = typeof queue[0] === 'string' ? (queue.shift() as string) : null;
	const options = typeof queue[0] === 'object' && queue[0] !== null ? (queue.shift() as TestOptions) : {};
	const run = typeof queue[0] === 'function' ? (queue[0] as TestFunction) : null;
	return { name: named ?? (run?.name || '<anonymous>'), options, run };
}
