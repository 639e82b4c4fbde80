import { resultError } from './failures.ts';
import type { Planned } from './plan.ts';
import type { Attempt, Outcome, Reporter, ResultError, TestReport } from './results.ts';
import { titlesOf, type Suite } from './suite.ts';
import type { Status } from './test-info.ts';
import { TestWorker, type WorkerWorld } from './worker.ts';

/** Runs planned tests one after another, as Playwright does with one worker. */
export class TestRun {
	readonly reports: TestReport[] = [];
	readonly errors: ResultError[] = [];
	#worker: TestWorker;
	/** Suites whose remaining tests are skipped: serial ones with a failure, or whose set-up failed. */
	readonly #abandoned = new Set<Suite>();

	constructor(
		private readonly world: WorkerWorld,
		private readonly reporter: Reporter,
		/** Path from the test directory, and from the working directory. */
		private readonly names: (file: string, planned: Planned) => { file: string; path: string }
	) {
		this.#worker = new TestWorker(world);
	}

	async run(planned: readonly Planned[], maxFailures: number): Promise<void> {
		let failures = 0;
		let project: Planned['project'] | null = null;
		for (const [index, each] of planned.entries()) {
			const isStopped = maxFailures > 0 && failures >= maxFailures;
			const isAbandoned = each.test.suite.path().some((suite) => this.#abandoned.has(suite));
			if (project !== each.project) {
				await this.#newWorker();
				this.#abandoned.clear();
			}
			({ project } = each);
			if (isStopped || isAbandoned) {
				this.reports.push(this.#report(each, [], 'passed', 'did not run'));
				continue;
			}
			await this.#keep(this.#worker.leave(each.test.suite));
			const report = await this.#test(each, index + 1);
			this.reports.push(report);
			if (report.outcome === 'unexpected') failures++;
		}
		await this.#keep(this.#worker.end());
	}

	async #test(planned: Planned, number: number): Promise<TestReport> {
		const { test, project } = planned;
		const suites = test.suite.path();
		const retries = [...suites].reverse().find((suite) => suite.retries !== undefined)?.retries ?? project.retries;
		const attempts: Attempt[] = [];
		for (let retry = 0; ; retry++) {
			const { attempt, info, isSetUpBroken } = await this.#worker.run(planned, retry);
			attempts.push(attempt);
			const isWanted = attempt.status === info.expectedStatus || attempt.status === 'skipped';
			if (info.expectedStatus === 'failed' && attempt.status === 'passed')
				attempt.errors.push({ message: 'Expected to fail, but passed.', place: null });
			const report = this.#report(planned, attempts, info.expectedStatus, outcomeOf(attempts, info.expectedStatus));
			report.annotations = info.annotations;
			this.reporter.attempt(report, attempt, number);
			// Playwright continues in a new process after a failure.
			if (!isWanted) await this.#newWorker();
			if (isWanted || retry >= retries) {
				if (!isWanted) this.#abandon(suites, isSetUpBroken);
				return report;
			}
		}
	}

	#abandon(suites: Suite[], isSetUpBroken: boolean): void {
		for (const suite of suites) {
			const breaks = isSetUpBroken && suite.hooksOf('beforeAll').length > 0;
			if (suite.isSerial || breaks) this.#abandoned.add(suite);
		}
	}

	async #newWorker(): Promise<void> {
		await this.#keep(this.#worker.end());
		this.#worker = new TestWorker(this.world);
	}

	async #keep(work: Promise<Error[]>): Promise<void> {
		this.errors.push(...(await work).map((error) => resultError(error, this.world.state.root)));
	}

	#report(planned: Planned, attempts: Attempt[], expectedStatus: Status, outcome: Outcome): TestReport {
		const { test, project, file } = planned;
		const tags = [...new Set([...test.suite.path().flatMap((suite) => suite.tags), ...test.tags])];
		return {
			project: project.name,
			...this.names(file, planned),
			place: test.place,
			titles: titlesOf(test),
			tags,
			expectedStatus,
			annotations: test.annotations,
			attempts,
			outcome
		};
	}
}

function outcomeOf(attempts: Attempt[], expected: Status): Outcome {
	const last = attempts.at(-1);
	if (!last || last.status === 'skipped') return 'skipped';
	if (last.status !== expected) return 'unexpected';
	return attempts.length > 1 ? 'flaky' : 'expected';
}
