import type { ExecutionEnvironment, OutputChunk } from '#environment/contract.ts';
import { lacksPackages, type StartScript } from './start-script.ts';

/** Steps from a project's files to a page of its server. */
export const START_STEPS = ['install', 'start', 'wait'] as const;
export type StartStep = (typeof START_STEPS)[number];

/** Characters of output to keep, to explain a failure. */
const KEPT_CHARACTERS = 4000;
/** Terminal sequences for colors, cursor movements and titles. */
const SEQUENCES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;

/** Installs a project's packages, starts its server and waits for the port. One at a time. */
export class ProjectStart {
	/** Step in progress or failed; `null` before the start and after the end. */
	step: StartStep | null = $state(null);
	/** Set once a step has failed. */
	failure: { exitCode: number } | null = $state.raw(null);
	/** End of the output so far, without terminal sequences. */
	output = $state('');
	/** Command of the running server. */
	running: string | null = $state(null);
	/** Stops the current step. */
	#stop: (() => Promise<void>) | null = null;
	#run = 0;

	constructor(private readonly environment: ExecutionEnvironment) {}

	/** Last non-empty line of the output. */
	get lastLine(): string {
		return (
			this.output
				.trimEnd()
				.split(/[\r\n]+/)
				.at(-1) ?? ''
		);
	}

	/**
	 * Starts the server, after installing missing packages.
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

	/** Stops the current step, including the server. */
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

	/** First port that was not open before; `null` if the process ends without opening one. */
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
