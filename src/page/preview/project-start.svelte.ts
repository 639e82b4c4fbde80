import type { ExecutionEnvironment, OutputChunk } from '#environment/contract.ts';
import { lacksPackages, type StartScript } from './start-script.ts';

/** Steps from a project's files to a page of its server. */
export const START_STEPS = ['install', 'start', 'wait'] as const;
export type StartStep = (typeof START_STEPS)[number];

/** Output that is kept to explain a failure. Characters. */
const KEPT_CHARACTERS = 4000;
/** Colours, cursor movements and titles of a terminal. */
const SEQUENCES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** Installs a project's packages, starts its server and waits for the port. One at a time. */
export class ProjectStart {
	/** Step under way or failed; `null` before the start and after the end. */
	step: StartStep | null = $state(null);
	/** Set once a step has failed. */
	failure: { exitCode: number } | null = $state.raw(null);
	/** End of the output so far, without a terminal's sequences. */
	output = $state('');
	/** Command whose server runs. */
	running: string | null = $state(null);
	/** Stops what is under way. */
	#stop: (() => Promise<void>) | null = null;
	#run = 0;

	constructor(private readonly environment: ExecutionEnvironment) {}

	/** Last line of the output that is not empty. */
	get lastLine(): string {
		return (
			this.output
				.trimEnd()
				.split(/[\r\n]+/)
				.at(-1) ?? ''
		);
	}

	/**
	 * Starts the server, after installing the packages that are missing.
	 *
	 * @returns the port it opened; `null` if it failed or was stopped
	 */
	async start(script: StartScript): Promise<number | null> {
		await this.stop();
		const run = ++this.#run;
		[this.failure, this.output] = [null, ''];
		this.step = 'install';
		try {
			if ((await lacksPackages(this.environment)) && !(await this.#install(script, run))) return null;
			return run === this.#run ? await this.#serve(script, run) : null;
		} catch (error) {
			if (run === this.#run) this.step = null;
			throw error;
		}
	}

	/** Stops what is under way, the server included. */
	async stop(): Promise<void> {
		this.#run++;
		const stop = this.#stop;
		this.#stop = null;
		[this.step, this.running, this.failure] = [null, null, null];
		await stop?.();
	}

	async #install({ install }: StartScript, run: number): Promise<boolean> {
		const leaving = new AbortController();
		this.#stop = async () => leaving.abort();
		const { exitCode } = await this.environment.exec(install, {
			signal: leaving.signal,
			maxOutputCharacters: 0,
			onOutput: (chunk) => this.#print(chunk, run)
		});
		if (run !== this.#run) return false;
		if (exitCode !== 0) this.failure = { exitCode };
		return exitCode === 0;
	}

	async #serve({ command }: StartScript, run: number): Promise<number | null> {
		const { loopback } = this.environment;
		const before = new Set(loopback?.ports.map(({ port }) => port));
		[this.step, this.output] = ['start', ''];
		const server = await this.environment.start(command, {
			maxOutputCharacters: 0,
			onOutput: (chunk) => {
				if (run === this.#run && this.step === 'start') this.step = 'wait';
				this.#print(chunk, run);
			}
		});
		if (run !== this.#run) {
			await server.kill();
			return null;
		}
		this.#stop = () => server.kill();
		void server.exited.then(({ exitCode }) => {
			if (run !== this.#run) return;
			this.#stop = null;
			this.running = null;
			if (this.step !== null) this.failure = { exitCode };
		});
		const port = await this.#portBeside(before, server.exited);
		if (port === null || run !== this.#run) return null;
		[this.step, this.running] = [null, command];
		return port;
	}

	/** First port that was not open before; `null` if the process ends without one. */
	async #portBeside(before: ReadonlySet<number>, exited: Promise<unknown>): Promise<number | null> {
		const { loopback } = this.environment;
		let leave: (() => void) | undefined;
		const opened = new Promise<number>((resolve) => {
			const look = (): void => {
				const found = loopback?.ports.find(({ port }) => !before.has(port));
				if (found) resolve(found.port);
			};
			leave = loopback?.onPorts(look);
			look();
		});
		try {
			return await Promise.race([opened, exited.then(() => null)]);
		} finally {
			leave?.();
		}
	}

	#print({ data }: OutputChunk, run: number): void {
		if (run === this.#run) this.output = (this.output + data.replace(SEQUENCES, '')).slice(-KEPT_CHARACTERS);
	}
}
