import { realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { env } from 'node:process';
import type { ExecOptions, Trial } from '../contract.ts';
import { cancelledTrial } from '../cancelled-trial.ts';
import { EnvironmentError } from '../errors.ts';
import { isLessThanAll } from '../rights.ts';
import { commandArguments, SHELL_LEVEL } from '../shell-start.ts';
import { Command, type CommandOptions } from './command.ts';
import type { Confinement } from './confinement/types.ts';
import { DEFAULT_PROGRAM, enforcedRights, findConfinement } from './confinement/confinement.ts';
import type { Launch } from './launch.ts';
import { toReal, type PathRules } from './paths.ts';
import { directoriesToCover, EffectScope } from './trial/layers.ts';
import { canRunTrials, runTrial, type TrialPlan } from './trial/trial.ts';
import { commandVariables, type VariablePolicy } from './variables.ts';

export interface RunnerOptions {
	home?: string | undefined;
	variables?: VariablePolicy | undefined;
	shell?: string | undefined;
	confinement?: string | null | undefined;
}

/** Starts the commands of a local environment, with all rights, with fewer rights, or on trial. */
export class CommandRunner {
	readonly #commands = new Set<Command>();
	readonly #trials = new Set<Trial>();

	private constructor(
		private readonly options: RunnerOptions,
		private readonly rules: PathRules,
		private readonly confinement: Confinement | undefined,
		/** Set if commands can run on trial here. */
		readonly runsTrials: boolean
	) {}

	/** Detects what this machine can enforce. */
	static async open(options: RunnerOptions, rules: PathRules): Promise<CommandRunner> {
		const program = options.confinement === undefined ? DEFAULT_PROGRAM : options.confinement;
		const confinement = await findConfinement(program);
		const directories = directoriesToCover(rules.roots, rules.workingDirectory);
		const runsTrials = program !== null && confinement !== undefined && (await canRunTrials(program, directories));
		return new CommandRunner(options, rules, confinement, runsTrials);
	}

	get shell(): string {
		return this.options.shell ?? '/bin/bash';
	}

	/** The variables of a command. */
	variables(own: Record<string, string> = {}): Record<string, string> {
		const { home, variables = {} } = this.options;
		const set = { ...(home === undefined ? {} : { HOME: home }), ...variables.set };
		return { ...commandVariables(env, { ...variables, set }), ...SHELL_LEVEL, ...own };
	}

	/**
	 * @throws EnvironmentError `ENOENT` if the directory or the shell does not exist, `EUNAVAILABLE` for rights that
	 * nothing here enforces
	 */
	async start(command: string, options: CommandOptions): Promise<Command> {
		const { rights, cwd } = options;
		const launch: Launch = {
			program: this.shell,
			args: commandArguments(this.shell, command),
			cwd: await this.#directory(cwd),
			env: this.variables(options.env)
		};
		const isConfined = rights !== undefined && isLessThanAll(rights);
		const running = await Command.start(isConfined ? await this.#confined(launch, rights) : launch, options);
		// A sandbox's first process ends shortly after its command.
		for (const one of this.#commands) if (one.isOver) this.#commands.delete(one);
		this.#commands.add(running);
		return running;
	}

	/** @param change see {@link TrialPlan.change} */
	async runOnTrial(command: string, options: ExecOptions, change: TrialPlan['change']): Promise<Trial> {
		if (options.signal?.aborted) return cancelledTrial();
		const { roots, home, workingDirectory } = this.rules;
		const scratch = await Promise.all([tmpdir(), '/tmp'].map((path) => realpath(path).catch(() => path)));
		const kept = [...roots.filter((root) => !scratch.includes(root)), workingDirectory, home];
		const plan: TrialPlan = {
			bubblewrap: this.options.confinement ?? DEFAULT_PROGRAM ?? '',
			words: [this.shell, ...commandArguments(this.shell, command)],
			cwd: await this.#directory(options.cwd),
			// Git rewrites its index even for read-only commands.
			env: { GIT_OPTIONAL_LOCKS: '0', ...this.variables(options.env) },
			network: options.rights?.network === 'all',
			directories: directoriesToCover(roots, workingDirectory),
			scope: new EffectScope(kept, scratch, home),
			rules: this.rules,
			change
		};
		const trial = await runTrial(plan, options);
		this.#trials.add(trial);
		return trial;
	}

	/** Ends everything that runs and discards all trials. */
	async close(): Promise<void> {
		await Promise.all([...this.#commands].map((command) => command.kill()));
		await Promise.all([...this.#trials].map((trial) => trial.discard()));
	}

	async #confined(launch: Launch, rights: NonNullable<ExecOptions['rights']>): Promise<Launch> {
		const enforced = await enforcedRights(rights, this.rules);
		const wrapped = this.confinement?.wrap([launch.program, ...launch.args], enforced, launch.cwd);
		if (!wrapped)
			throw new EnvironmentError(
				'EUNAVAILABLE',
				'Nothing on this machine can hold a command to less than all rights: bubblewrap is missing or may not be used.'
			);
		await requireProgram(launch.program);
		return { ...launch, ...wrapped };
	}

	async #directory(path: string | undefined): Promise<string> {
		if (path === undefined) return this.rules.workingDirectory;
		const real = await toReal(this.rules, path, true);
		if (!(await stat(real).catch(() => undefined))?.isDirectory())
			throw new EnvironmentError('ENOENT', `The directory does not exist: ${path}`, path);
		return real;
	}
}

/** Checks that the program exists: the sandbox program would report it in its own words, as output of the command. */
async function requireProgram(program: string): Promise<void> {
	if (program.includes('/') && !(await stat(program).catch(() => undefined)))
		throw new EnvironmentError('ENOENT', `The shell ${program} could not be started: ENOENT`, program);
}
