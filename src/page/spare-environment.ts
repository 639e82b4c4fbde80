import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Notifications of a computer to its project; a spare one has no project yet. */
export interface EnvironmentListener {
	notice(notice: string): void;
	crashed(reason: string): void;
}

/** Creates a computer that notifies `listener`, and waits until it runs. */
type MakeEnvironment = (listener: EnvironmentListener) => Promise<ExecutionEnvironment>;

const FIRST_COMMANDS = ['git --version', 'true'];

interface Spare {
	environment: Promise<ExecutionEnvironment>;
	/** Notices from before it had a project. */
	notices: string[];
	isLost: boolean;
	owner: EnvironmentListener | null;
}

/** Keeps one computer running in advance, so that opening a project does not wait for it. */
export class SpareEnvironment {
	#spare: Spare | null = null;

	constructor(private readonly make: MakeEnvironment) {}

	/** Starts a computer unless there is one. A failure is reported to the caller that needs a computer, not here. */
	prepare(): void {
		this.#spare ??= this.#start();
	}

	/** Also loads the programs of the first commands; called while the page is idle. */
	prepareFully(): void {
		if (this.#spare) return;
		this.#spare = this.#start();
		// Concurrently, so that two shell workers remain: one for the terminal, one for the first command.
		const run = (environment: ExecutionEnvironment) => FIRST_COMMANDS.map((command) => environment.exec(command));
		void this.#spare.environment.then((environment) => Promise.all(run(environment))).catch(() => {});
	}

	#start(): Spare {
		const spare: Spare = {
			environment: this.make({
				notice: (notice) => (spare.owner ? spare.owner.notice(notice) : void spare.notices.push(notice)),
				crashed: (reason) => {
					if (spare.owner) return spare.owner.crashed(reason);
					spare.isLost = true;
					this.#forget(spare);
				}
			}),
			notices: [],
			isLost: false,
			owner: null
		};
		spare.environment.catch(() => this.#forget(spare));
		return spare;
	}

	/** Returns the spare computer, or a new one. Rejects as `make` does. */
	async take(owner: EnvironmentListener): Promise<ExecutionEnvironment> {
		const spare = this.#spare;
		this.#spare = null;
		if (!spare) return this.make(owner);
		const environment = await spare.environment.catch(() => null);
		if (!environment || spare.isLost) {
			await environment?.cleanup();
			return this.make(owner);
		}
		spare.owner = owner;
		for (const notice of spare.notices) owner.notice(notice);
		return environment;
	}

	#forget(spare: Spare): void {
		if (this.#spare === spare) this.#spare = null;
	}
}
