import type { ConfigSettings } from '../config.ts';
import type { UseOptions } from '../browser/session.ts';
import type { Session } from '../browser/session.ts';
import type { Declaration } from './declare.ts';
import { bare, resultError } from './failures.ts';
import { FixturePool, type FixtureTable } from './fixtures.ts';
import type { Planned } from './plan.ts';
import type { Attempt } from './results.ts';
import { titlesOf, type Hook, type Modifier, type Suite } from './suite.ts';
import { SkipSignal, TestInfo } from './test-info.ts';
import { limited } from './time-limit.ts';

/** Settings of a worker that all its tests share. */
export interface WorkerWorld {
	state: Declaration;
	session: Session;
	config: ConfigSettings;
	write: (path: string, bytes: Uint8Array) => void;
}

/** Runs tests one after another until one fails: `beforeAll` of suites and worker fixtures live as long. */
export class TestWorker {
	readonly #pool = new FixturePool('worker', null);
	/** Suites whose `beforeAll` have run. */
	#active: Suite[] = [];
	#lastInfo: TestInfo | null = null;

	constructor(private readonly world: WorkerWorld) {}

	/** Makes one attempt at a test. Never rejects. */
	async run(
		{ project, test }: Planned,
		retry: number
	): Promise<{ attempt: Attempt; info: TestInfo; isSetUpBroken: boolean }> {
		const { state, session, config } = this.world;
		const suites = test.suite.path();
		const use = Object.assign({}, project.use, ...suites.map((suite) => suite.use)) as UseOptions;
		const timeoutMs =
			[...suites].reverse().find((suite) => suite.timeoutMs !== undefined)?.timeoutMs ?? project.timeoutMs;
		const slug = [...titlesOf(test), project.name]
			.join('-')
			.replace(/[^\w]+/g, '-')
			.slice(0, 80);
		const info = new TestInfo(
			...([test.title, titlesOf(test), test.place.file, test.place.line, test.place.column, retry] as const),
			{ name: project.name, use },
			`${config.outputDir}/${slug}${retry > 0 ? `-retry${retry}` : ''}`,
			timeoutMs,
			test.annotations,
			this.world.write,
			config
		);
		state.running = this.#lastInfo = info;
		session.clock = {
			deadlineMs: () => info.deadlineMs,
			timeoutMs: () => info.timeout,
			fail: (error) => void info.errors.push(error)
		};
		const table = test.table.withOptions(use);
		const pool = new FixturePool('test', this.#pool);
		let isSetUpBroken = false;
		const stopped = await this.#stage(info, async () => {
			this.#applyPlain([...suites.flatMap(({ modifiers }) => modifiers), ...test.modifiers], info);
			isSetUpBroken = true;
			await this.#activate(suites, info);
			isSetUpBroken = false;
			await pool.setUpAuto(table, info);
			await this.#applyAsked(suites, pool, table, info);
			for (const hook of suites.flatMap((suite) => suite.hooksOf('beforeEach')))
				await this.#call(hook, pool, use, info);
			await test.call((await pool.valuesFor(test.call, table, info)) as never, info);
		});
		if (stopped !== 'skipped') await this.#finish(suites, pool, use, info);
		state.running = null;
		if (info.errors.length > 0 && info.status === 'passed') info.status = 'failed';
		const errors = info.errors.map((error) => resultError(error, state.root));
		const { status, duration, steps, attachments } = info;
		return {
			attempt: { retry, status, durationMs: duration, errors, steps, attachments },
			info,
			isSetUpBroken: isSetUpBroken && status !== 'skipped'
		};
	}

	/** Runs the `afterAll` of suites that are left; `null`: of all suites. @returns errors thrown meanwhile */
	async leave(next: Suite | null): Promise<Error[]> {
		const stay = next?.path() ?? [];
		const errors: Error[] = [];
		for (const suite of [...this.#active].reverse()) {
			if (stay.includes(suite)) continue;
			for (const hook of suite.hooksOf('afterAll')) {
				const error = await this.#allHook(hook);
				if (error) errors.push(error);
			}
			this.#active = this.#active.filter((each) => each !== suite);
		}
		return errors;
	}

	async end(): Promise<Error[]> {
		const errors = await this.leave(null);
		return [
			...errors,
			...(await this.#pool.tearDown()).map((error) => (error instanceof Error ? error : new Error(String(error))))
		];
	}

	/** Runs a part of a test within its time limit. */
	async #stage(info: TestInfo, work: () => Promise<void>): Promise<'skipped' | 'ended'> {
		const ended = await limited(work, () => info.deadlineMs);
		if (ended.kind === 'threw' && ended.error instanceof SkipSignal) {
			info.status = 'skipped';
			return 'skipped';
		}
		const isLate = ended.kind === 'late' || (ended.kind === 'threw' && performance.now() >= info.deadlineMs);
		if (isLate) {
			info.status = 'timedOut';
			info.errors.push(bare(`Test timeout of ${info.timeout}ms exceeded.`));
			// Hooks and fixtures that clean up after the test have some extra time.
			info.setTimeout(info.duration + Math.max(info.timeout, 1_000));
		}
		if (ended.kind !== 'done' && ended.error !== undefined) info.errors.push(asError(ended.error));
		return 'ended';
	}

	async #finish(suites: Suite[], pool: FixturePool, use: UseOptions, info: TestInfo): Promise<void> {
		await this.#stage(info, async () => {
			for (const suite of [...suites].reverse())
				for (const hook of suite.hooksOf('afterEach')) await this.#stage(info, () => this.#call(hook, pool, use, info));
			info.errors.push(...(await pool.tearDown()).map(asError));
		});
	}

	async #call(hook: Hook, pool: FixturePool, use: UseOptions, info: TestInfo): Promise<void> {
		const table = hook.table.withOptions(use);
		await hook.call((await pool.valuesFor(hook.call, table, info)) as never, info);
	}

	async #activate(suites: Suite[], info: TestInfo): Promise<void> {
		for (const suite of suites) {
			if (this.#active.includes(suite)) continue;
			this.#active.push(suite);
			const use = Object.assign({}, info.project.use, ...suite.path().map((each) => each.use)) as UseOptions;
			for (const hook of suite.hooksOf('beforeAll')) await this.#call(hook, this.#pool, use, info);
		}
	}

	async #allHook(hook: Hook): Promise<Error | null> {
		const info = this.#lastInfo;
		if (!info) return null;
		this.world.state.running = info;
		const startedMs = performance.now();
		const limit = hook.kind === 'afterAll' ? this.world.config.timeoutMs : info.timeout;
		const ended = await limited(
			() => this.#call(hook, this.#pool, info.project.use, info),
			() => startedMs + (limit || Infinity)
		);
		this.world.state.running = null;
		if (ended.kind === 'late') return bare(`"${hook.kind}" hook timeout of ${limit}ms exceeded.`);
		return ended.kind === 'threw' ? asError(ended.error) : null;
	}

	/** Applies modifiers without a condition, or with a known one. */
	#applyPlain(modifiers: Modifier[], info: TestInfo): void {
		for (const { kind, condition = true, description } of modifiers)
			if (typeof condition !== 'function') info[kind](condition, description);
	}

	/** Modifiers whose condition depends on fixtures. */
	async #applyAsked(suites: Suite[], pool: FixturePool, table: FixtureTable, info: TestInfo): Promise<void> {
		for (const { kind, condition, description } of suites.flatMap(({ modifiers }) => modifiers)) {
			if (typeof condition !== 'function') continue;
			const call = condition as (...given: unknown[]) => unknown;
			info[kind](await call(await pool.valuesFor(call, table, info)), description);
		}
	}
}

const asError = (thrown: unknown): Error =>
	thrown instanceof Error ? thrown : new Error(JSON.stringify(thrown) ?? String(thrown));
