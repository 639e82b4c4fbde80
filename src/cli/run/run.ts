import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { text as readAll } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { AgentResult, SessionEvent, StopReason } from '#agent/events.ts';
import type { PermissionMode } from '#agent/guards/permission-types.ts';
import { readProjectSettings } from '#agent/extensions/project-hooks/load.ts';
import { PROJECT_SETTINGS_PATH } from '#agent/extensions/project-hooks/settings.ts';
import { profileForModel } from '#agent/profiles/for-model.ts';
import { Session } from '#agent/session.ts';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { createClientFromEnvironment } from '#llm/environment.ts';
import { openLogFile } from '#session/node/log-file.ts';
import { ExitCode } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { UsageError } from '../usage.ts';
import { askOnTerminal } from './ask-on-terminal.ts';
import { chooseModel } from './model.ts';
import { TextOutput } from './text-output.ts';

const MODES: readonly PermissionMode[] = ['plan', 'ask', 'auto-edit', 'full'];

/** Text for the summary of a run, and its exit code. */
const OUTCOMES: Readonly<Record<StopReason, { text: string; code: number }>> = {
	end_turn: { text: 'Done', code: ExitCode.ok },
	max_tokens: { text: 'Stopped: the answer was too long', code: ExitCode.stopped },
	max_iterations: { text: 'Stopped: too many rounds of tool calls', code: ExitCode.stopped },
	turn_limit: { text: 'Stopped by --max-turns', code: ExitCode.stopped },
	failure_threshold: { text: 'Stopped: too many tool calls failed', code: ExitCode.stopped },
	permission_denied: { text: 'Stopped: permission denied', code: ExitCode.stopped },
	aborted: { text: 'Interrupted', code: ExitCode.interrupted },
	interrupted: { text: 'Interrupted', code: ExitCode.interrupted },
	rewound: { text: 'Interrupted', code: ExitCode.interrupted },
	content_filter: { text: 'Stopped: the provider refused the content', code: ExitCode.stopped },
	error: { text: 'Failed', code: ExitCode.failed }
};

/** Runs the agent on a folder; see `HELP.run`. */
export async function run(args: string[]): Promise<number> {
	const options = parse(args);
	const task = options.task === '-' ? await readAll(process.stdin) : options.task;
	if (task.trim() === '') throw new UsageError('The task is empty. Give it as text, or with `-` on standard input.');
	const { model, provider } = chooseModel(options);
	const environment = new LocalExecutionEnvironment({ workingDirectory: options.directory });
	await environment.initialize();
	const settings = await readProjectSettings(environment);
	const stored = options.log === undefined ? undefined : await openLogFile(options.log);
	for (const warning of stored?.warnings ?? []) process.stderr.write(`Warning: ${warning}\n`);
	const isInteractive = process.stdin.isTTY && process.stderr.isTTY;
	const session = new Session({
		profile: profileForModel(model, provider),
		environment,
		client: createClientFromEnvironment(),
		...(stored ? { log: stored.log } : {}),
		...(stored?.sessionId === undefined ? {} : { id: stored.sessionId }),
		mode: options.mode,
		askPermission: askOnTerminal,
		compaction: true,
		trustProjectInstructions: options.trust,
		skills: options.trust,
		...(settings !== null && options.hooks ? { projectHooks: { isTrusted: (text) => text === settings } } : {}),
		userSkillFolders: ['.agents/skills', '.claude/skills'].map((folder) => path.join(homedir(), folder)),
		...(isInteractive ? {} : { withoutTools: ['ask_user'] }),
		...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
		...(options.maxCostUsd === undefined ? {} : { spendingCapUsd: options.maxCostUsd })
	});
	try {
		if (!options.json) noticeUnused(options, settings);
		return await drive(session, task, options.json);
	} finally {
		await session.close();
		await stored?.close();
		await environment.cleanup();
	}
}

/** Submits the task, prints its events and answers questions. Returns the exit code. */
async function drive(session: Session, task: string, json: boolean): Promise<number> {
	let interrupts = 0;
	const interrupt = (): void => {
		interrupts += 1;
		if (interrupts > 1) process.exit(ExitCode.interrupted);
		void session.stop();
	};
	process.on('SIGINT', interrupt);
	try {
		const output = new TextOutput({
			out: (text) => process.stdout.write(text),
			err: (text) => process.stderr.write(text)
		});
		const run = session.submit(task);
		for await (const event of run) {
			if (json) process.stdout.write(`${JSON.stringify(event)}\n`);
			else output.print(event);
			if (event.type === 'question') session.answer(await askUser(event));
		}
		const result = await run.result;
		if (!json) output.summary(result.turns, OUTCOMES[result.stopReason].text);
		return exitCode(result);
	} finally {
		process.off('SIGINT', interrupt);
	}
}

function exitCode({ stopReason, error }: AgentResult): number {
	// The spending cap is reported as an error, but is a limit that the user set.
	if (error?.code === 'SpendingCapError') return ExitCode.stopped;
	return OUTCOMES[stopReason].code;
}

async function askUser({ question, options }: Extract<SessionEvent, { type: 'question' }>): Promise<string> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	try {
		const choices = (options ?? []).map((option, index) => `  ${index + 1}. ${printable(option)}\n`).join('');
		const answer = await terminal.question(`\n${printable(question)}\n${choices}> `);
		return options?.[Number(answer) - 1] ?? answer;
	} finally {
		terminal.close();
	}
}

/** Prints a notice about instructions and hooks in the folder that the user has not allowed. */
function noticeUnused({ directory, trust, hooks }: RunOptions, settings: string | null): void {
	const found = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'].filter((name) => existsSync(path.join(directory, name)));
	if (found.length > 0 && !trust)
		process.stderr.write(`${found.join(' and ')} is not followed. Use --trust if you trust this folder.\n`);
	if (settings !== null && !hooks)
		process.stderr.write(`The hooks of ${PROJECT_SETTINGS_PATH} do not run. Use --hooks if you trust them.\n`);
}

interface RunOptions {
	task: string;
	directory: string;
	model: string | undefined;
	provider: string | undefined;
	mode: PermissionMode;
	json: boolean;
	trust: boolean;
	/** Runs the hooks of the folder's current settings file. */
	hooks: boolean;
	maxCostUsd: number | undefined;
	maxTurns: number | undefined;
	/** File of the session's log. */
	log: string | undefined;
}

/** Parses the arguments. @throws UsageError, or an error of `parseArgs` */
function parse(args: string[]): RunOptions {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			model: { type: 'string', short: 'm' },
			provider: { type: 'string', short: 'p' },
			mode: { type: 'string', default: 'auto-edit' },
			json: { type: 'boolean', default: false },
			trust: { type: 'boolean', default: false },
			hooks: { type: 'boolean', default: false },
			directory: { type: 'string', short: 'C', default: '.' },
			'max-cost': { type: 'string' },
			'max-turns': { type: 'string' },
			log: { type: 'string' }
		}
	});
	if (positionals.length !== 1)
		throw new UsageError(
			positionals.length === 0
				? 'Say what to do: sandglass run "Make the failing test pass". `sandglass run --help` lists the options.'
				: 'Put the task into quotes: it is one argument.'
		);
	const mode = MODES.find((each) => each === values.mode);
	if (!mode) throw new UsageError(`--mode is one of ${MODES.join(', ')}, not ${JSON.stringify(values.mode)}.`);
	const directory = path.resolve(values.directory);
	if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
		throw new UsageError(`${directory} is no folder. Name one with --directory.`);
	return {
		task: positionals[0] ?? '',
		directory,
		model: values.model,
		provider: values.provider,
		mode,
		json: values.json,
		trust: values.trust,
		hooks: values.hooks,
		maxCostUsd: positive('--max-cost', values['max-cost']),
		maxTurns: positive('--max-turns', values['max-turns']),
		log: values.log
	};
}

function positive(name: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (!(value > 0) || !Number.isFinite(value))
		throw new UsageError(`${name} needs a number above 0, not ${JSON.stringify(text)}.`);
	return value;
}
