import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from '#test/fast-check.ts';
import { getFn, startTests, type File, type Suite, type Test } from '@vitest/runner';
import { vi } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';
import { z } from 'zod';
import { startWatchdog, type Watchdog } from './watchdog.ts';

/** Fields read and written by Stryker's instrumented code. */
interface Instrumented {
	activeMutant?: string | undefined;
	currentTestId?: string | undefined;
	hitCount?: number | undefined;
	hitLimit?: number | undefined;
	/** Added by `measure.mjs`: counting takes most of the time. */
	isRepetition?: boolean;
	mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/** Number of times each test runs the code of a mutant; static code runs when the modules load. */
interface Reach {
	hits: Map<string, number>;
	isStatic: boolean;
}

type Verdict = 'Killed' | 'Survived' | 'Timeout';

const folder = process.env['MUTANTS_FOLDER'] ?? '';
const plan = z
	.object({
		own: z.record(z.string(), z.string()),
		fileOf: z.record(z.string(), z.string()),
		withFunctions: z.array(z.string())
	})
	.parse(JSON.parse(readFileSync(path.join(folder, 'plan.json'), 'utf8')));
const withFunctions: ReadonlySet<string | undefined> = new Set(plan.withFunctions);
const VERDICTS = path.join(folder, 'verdicts.jsonl');
/** Durations of all runs; the next run orders its test files by them. */
const DURATIONS = path.join(path.dirname(folder), 'durations.jsonl');
/** Prevents one slow file from using the whole night: it gives no verdict on mutants not tried by then. */
const BUDGET_MS = Number(process.env['MUTANTS_BUDGET_S'] ?? 300) * 1000;
/** Generous, because waiting forever does not count as noticed. */
const DEADLINE_MS = 4000;
/** Tests up to this long come first. */
const QUICK_MS = 200;
/** Slower tests are not run for mutants. */
const SLOW_MS = 3000;
/** A file whose tests fail this often without a mutant gives no verdict on the others. */
const MAX_FAILURES = 5;
/** Number of test files in which a mutant may wait forever before the others skip it. */
const MAX_TIMEOUTS = 2;
const HOOKS = 'hooks';
/** Saved before a test replaces them. */
const { setTimeout: startTimer, clearTimeout: stopTimer, setInterval, clearInterval } = globalThis;

function instrumented(): Instrumented {
	const known: Instrumented = Reflect.get(globalThis, '__stryker__') ?? {};
	Reflect.set(globalThis, '__stryker__', known);
	return known;
}

// A failing property is enough: finding its smallest counterexample can take minutes.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

class WaitedInVain extends Error {}

/** Reruns chosen tests of a file, without reports, until the first failure. */
class Repetition extends VitestTestRunner {
	failed: Test | undefined;
	waitedInVain = false;
	readonly #chosen: ReadonlySet<string> | undefined;
	readonly #deadline: (test: Test) => number;

	constructor(outer: VitestTestRunner, chosen: ReadonlySet<string> | undefined, deadline: (test: Test) => number) {
		super(outer.config);
		Object.assign(this, {
			moduleRunner: Reflect.get(outer, 'moduleRunner'),
			_otel: Reflect.get(outer, '_otel')
		});
		this.#chosen = chosen;
		this.#deadline = deadline;
	}

	override async onBeforeRunSuite(suite: Suite): Promise<void> {
		if (!this.#isChosen(suite)) suite.mode = 'skip';
		await super.onBeforeRunSuite(suite);
	}

	override async onBeforeRunTask(test: Test): Promise<void> {
		if (this.failed || !this.#isChosen(test)) test.mode = 'skip';
		await super.onBeforeRunTask(test);
	}

	async runTask(test: Test): Promise<void> {
		let timer: ReturnType<typeof startTimer> | undefined;
		const deadline = new Promise<never>((_, reject) => {
			timer = startTimer(() => reject(new WaitedInVain()), this.#deadline(test));
		});
		try {
			await Promise.race([getFn(test)(), deadline]);
		} catch (error) {
			this.waitedInVain ||= error instanceof WaitedInVain || isHitLimit(error);
			throw error;
		} finally {
			stopTimer(timer);
		}
	}

	override onAfterRunTask(test: Test): void {
		if (test.result?.state === 'fail') this.failed ??= test;
		super.onAfterRunTask(test);
	}

	/** Snapshots belong to the outer run. */
	override async onAfterRunSuite(): Promise<void> {}

	#isChosen(task: Suite | Test): boolean {
		if (!this.#chosen) return true;
		if (task.type === 'test') return this.#chosen.has(task.id);
		return task.tasks.some((child) => this.#isChosen(child));
	}
}

function isHitLimit(error: unknown): boolean {
	return error instanceof Error && error.message.startsWith('Stryker: Hit count limit reached');
}

function testsOf(suite: Suite): Test[] {
	return suite.tasks.flatMap((task) => (task.type === 'test' ? [task] : testsOf(task)));
}

/**
 * Skips the mutants of other files if a test file only tries its own source, and code that only loads: static mutants
 * of files none of whose functions run and that the test file does not import itself.
 */
function leaveOut(reached: Map<string, Reach>, testFile: string): void {
	const own = plan.own[testFile];
	const started = new Set([...reached].filter(([, { isStatic }]) => !isStatic).map(([mutant]) => plan.fileOf[mutant]));
	const text = readFileSync(testFile, 'utf8');
	const isImported = (file: string | undefined) =>
		file !== undefined && text.includes(`'#${file.replace(/^src\//, '')}'`);
	const isAsked = (mutant: string, { isStatic }: Reach) => {
		const file = plan.fileOf[mutant];
		if (own !== undefined) return file === own;
		return !isStatic || started.has(file) || !withFunctions.has(file) || isImported(file);
	};
	for (const [mutant, reach] of reached) if (!isAsked(mutant, reach)) reached.delete(mutant);
}

/** Lists the mutants on which this test file has a verdict, because it tried its own source or because it was ended. */
function triedBy(testFile: string): ReadonlySet<string> {
	const tried = new Set<string>();
	for (const line of readFileSync(VERDICTS, 'utf8').split('\n').filter(Boolean)) {
		const { mutant, file }: { mutant?: string; file?: string } = JSON.parse(line);
		if (mutant !== undefined && file === testFile) tried.add(mutant);
	}
	return tried;
}

/** Runs a file's tests once unchanged, and then those that reach a mutant, once per mutant. */
export default class MutantRunner extends VitestTestRunner {
	readonly #durations = new Map<string, number>();
	readonly #decided = new Set<string>();
	readonly #timeouts = new Map<string, number>();
	#read = 0;

	override async onBeforeRunSuite(suite: Suite): Promise<void> {
		instrumented().currentTestId = HOOKS;
		await super.onBeforeRunSuite(suite);
	}

	override onBeforeTryTask(test: Test): void {
		instrumented().currentTestId = test.id;
		super.onBeforeTryTask(test);
	}

	override onAfterRunTask(test: Test): void {
		instrumented().currentTestId = HOOKS;
		this.#durations.set(test.id, test.result?.duration ?? 0);
		super.onAfterRunTask(test);
	}

	/** Receives the files, and is awaited, though the base class needs neither. */
	override async onAfterRunFiles(files: File[] = []): Promise<void> {
		super.onAfterRunFiles();
		for (const file of files) await this.#tryMutants(file);
	}

	async #tryMutants(file: File): Promise<void> {
		if (file.result?.state !== 'pass') {
			this.#log({ file: file.name, problem: 'fails without a mutant' });
			return;
		}
		const durationMs = [...this.#durations.values()].reduce((sum, ms) => sum + ms, 0);
		appendFileSync(DURATIONS, `${JSON.stringify({ file: file.name, durationMs: Math.round(durationMs) })}\n`);
		const coverage = instrumented().mutantCoverage ?? { static: {}, perTest: {} };
		instrumented().isRepetition = true;
		const reached = new Map<string, Reach>();
		const every = testsOf(file).map(({ id }) => id);
		const add = (tests: string[], counts: Record<string, number>, isStatic: boolean) => {
			for (const [mutant, hits] of Object.entries(counts)) {
				const known = reached.get(mutant) ?? { hits: new Map(), isStatic: false };
				for (const test of tests) known.hits.set(test, (known.hits.get(test) ?? 0) + hits);
				reached.set(mutant, { hits: known.hits, isStatic: known.isStatic || isStatic });
			}
		};
		for (const [test, counts] of Object.entries(coverage.perTest)) add(test === HOOKS ? every : [test], counts, false);
		add(every, coverage.static, true);
		leaveOut(reached, file.name);
		const watchdog = startWatchdog(VERDICTS, file.name, { setInterval, clearInterval });
		try {
			await this.#tryEach(file, reached, watchdog);
		} finally {
			watchdog.stop();
		}
	}

	async #tryEach(file: File, reached: ReadonlyMap<string, Reach>, watchdog: Watchdog): Promise<void> {
		const tried = triedBy(file.name);
		const end = Date.now() + BUDGET_MS;
		let chances = MAX_FAILURES;
		for (const [mutant, reach] of reached) {
			if (tried.has(mutant) || this.#isDecided(mutant)) continue;
			if (Date.now() > end) {
				this.#log({ file: file.name, problem: 'out of time' });
				return;
			}
			watchdog.watch(mutant);
			const verdict = await this.#verdict(file, mutant, reach);
			if (verdict) this.#log({ mutant, verdict, file: file.name });
			else {
				this.#log({ file: file.name, problem: `fails without a mutant after ${mutant}` });
				if (--chances === 0) return;
			}
		}
	}

	/** Returns undefined if the tests also fail without the mutant, even with fresh modules. */
	async #verdict(file: File, mutant: string, { hits, isStatic }: Reach): Promise<Verdict | undefined> {
		const duration = (test: string) => this.#durations.get(test) ?? 0;
		const possible = [...hits].filter(([test]) => duration(test) <= SLOW_MS);
		const rounds = isStatic
			? [possible]
			: [
					possible.filter(([test]) => duration(test) <= QUICK_MS),
					possible.filter(([test]) => duration(test) > QUICK_MS)
				];
		for (const chosen of rounds.filter(({ length }) => length > 0).map((round) => new Map(round))) {
			const result = await this.#repeat(file, mutant, chosen, isStatic);
			if (!result.isRed) continue;
			// Modules loaded with the mutant keep it; others may keep state that it left in them.
			const only = result.failed ? new Map([[result.failed.id, 0]]) : chosen;
			if (!(await this.#repeat(file, undefined, only, isStatic)).isRed)
				return result.waitedInVain ? 'Timeout' : 'Killed';
			if ((await this.#repeat(file, undefined, only, true)).isRed) return undefined;
		}
		return 'Survived';
	}

	async #repeat(file: File, mutant: string | undefined, hits: ReadonlyMap<string, number>, isFresh: boolean) {
		const scope = instrumented();
		const modules = this.workerModules();
		if (isFresh) vi.resetModules();
		else {
			const node = modules.getModuleById(file.filepath);
			if (node) modules.invalidateModule(node);
		}
		scope.activeMutant = mutant;
		scope.hitCount = 0;
		scope.hitLimit = 20_000 + 4 * [...hits.values()].reduce((sum, count) => sum + count, 0);
		const run = new Repetition(
			this,
			new Set(hits.keys()),
			(test) => DEADLINE_MS + 3 * (this.#durations.get(test.id) ?? 0)
		);
		try {
			const [again] = await startTests([file.filepath], run);
			return { isRed: again?.result?.state === 'fail', failed: run.failed, waitedInVain: run.waitedInVain };
		} finally {
			scope.activeMutant = undefined;
		}
	}

	workerModules(): { getModuleById(id: string): object | undefined; invalidateModule(node: object): void } {
		return Reflect.get(Reflect.get(this, 'workerState'), 'evaluatedModules');
	}

	/**
	 * Returns true for a mutant that was killed, and for one that would only cost time: a mutant that waits forever
	 * twice does so everywhere.
	 */
	#isDecided(mutant: string): boolean {
		if (existsSync(VERDICTS)) {
			const text = readFileSync(VERDICTS, 'utf8');
			const whole = text.lastIndexOf('\n') + 1;
			for (const line of text.slice(this.#read, whole).split('\n')) {
				if (line === '') continue;
				const entry: { mutant?: string; verdict?: Verdict; isBlocked?: boolean } = JSON.parse(line);
				if (entry.mutant === undefined) continue;
				const timeouts = (this.#timeouts.get(entry.mutant) ?? 0) + (entry.verdict === 'Timeout' ? 1 : 0);
				this.#timeouts.set(entry.mutant, timeouts);
				if (entry.verdict === 'Killed' || entry.isBlocked || timeouts >= MAX_TIMEOUTS) this.#decided.add(entry.mutant);
			}
			this.#read = whole;
		}
		return this.#decided.has(mutant);
	}

	#log(entry: object): void {
		appendFileSync(VERDICTS, `${JSON.stringify(entry)}\n`);
	}
}
