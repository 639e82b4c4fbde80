import { expect } from 'vitest';
import { commands } from 'vitest/browser';
import type { EventOf, SessionEvent } from '#agent/events.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { Session } from '#agent/session.ts';
import { createWasmEnvironment } from '#computer/host/environment.ts';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { createClient } from '#llm/client.ts';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { EgressLedger } from '#page/egress/ledger.ts';
import { layOut } from '#test/contract/parity/stage.ts';
import { findingsOf, type Findings } from './findings.ts';
import { decisionFor, questionOf, type Answers, type AskedQuestion } from './questions.ts';
import type { Step, Task, Verdict } from './task.ts';

const REGISTRY_HOST = 'registry.npmjs.org';
const VERDICT_LIMIT_MS = 300_000;
const CHARACTERS_PER_TOKEN = 4;
const FIRST_COMMIT = [
	'git init -q -b main',
	'git config user.name Model',
	'git config user.email model@example.com',
	'git add -A',
	'git commit -qm "Import"'
].join(' && ');

/** Figures of one task. */
export interface TaskFigures {
	name: string;
	turns: number;
	/** Estimated size of system prompt and tools. */
	overheadTokens: number;
	questions: AskedQuestion[];
	/** Steps whose result differs from the expected one. */
	surprises: string[];
	/** Findings of the task's commands on the finished tree, in the tab and on the machine. */
	verdicts: (Verdict & { tab: Findings; native: Findings })[];
}

/** Plays one task: a real session in the mode *ask* on the real computer, with a scripted model. */
export async function runTask(task: Task, answers: Answers): Promise<TaskFigures> {
	const questions: AskedQuestion[] = [];
	const ledger = await openLedger(questions);
	const environment = createWasmEnvironment({ egress: (request) => ledger.request(request) });
	await environment.initialize();
	try {
		await layOut(environment, await commands.trialFiles(task.repository));
		const first = await environment.exec(FIRST_COMMIT);
		expect(first.exitCode, first.stderr).toBe(0);
		const played = await play(task, environment, ledger, answers, questions);
		return { name: task.name, ...played, questions, verdicts: await judge(task, environment, ledger) };
	} finally {
		await environment.cleanup();
	}
}

/** The page's own egress ledger for the registry; its question is answered as if by the page's button. */
async function openLedger(questions: AskedQuestion[]): Promise<EgressLedger> {
	const relay = await commands.startRegistryRelay();
	const send = async ({ url, headers }: WireRequest): Promise<WireResponse> => {
		const { host, pathname, search } = new URL(url);
		if (host !== REGISTRY_HOST) throw Object.assign(new Error(`${host} is not part of a trial`), { code: 'ENOTFOUND' });
		const accept = headers.find(([name]) => name.toLowerCase() === 'accept')?.[1];
		const answer = await fetch(relay + pathname.slice(1) + search, { headers: accept ? { accept } : {} });
		const body = new Uint8Array(await answer.arrayBuffer());
		const { status, statusText } = answer;
		return { status, statusText, headers: [...answer.headers], url, body };
	};
	const ledger = new EgressLedger(send, () => Promise.resolve({ ownHost: 'localhost', allowedPrivate: [] }));
	const answered = new Set<number>();
	ledger.onChange(() => {
		for (const question of ledger.questions) {
			if (answered.has(question.id)) continue;
			answered.add(question.id);
			questions.push({ kind: 'network', about: JSON.stringify(question) });
			ledger.decide(question.id, 'session');
		}
	});
	return ledger;
}

type Played = Pick<TaskFigures, 'turns' | 'overheadTokens' | 'surprises'>;

async function play(
	task: Task,
	environment: WasmExecutionEnvironment,
	ledger: EgressLedger,
	answers: Answers,
	questions: AskedQuestion[]
): Promise<Played> {
	const url = await commands.startModel([{ turns: turnsOf(task) }]);
	const client = createClient({
		providers: { anthropic: { api: 'anthropic-messages', baseUrl: url, apiKey: 'key' } },
		retry: { retries: 0 }
	});
	const session = new Session({
		profile: createAnthropicProfile({ model: 'claude-opus-4-6' }),
		environment,
		client,
		mode: 'ask',
		network: { allowed: () => ledger.allowedHosts, allow: (hosts) => ledger.allowDuring(hosts) },
		askPermission: (request) => {
			questions.push(questionOf(request));
			return Promise.resolve(decisionFor(answers, request));
		}
	});
	const events: SessionEvent[] = [];
	session.emitter.onEvent((event) => events.push(event));
	try {
		const result = await session.submit(task.request).result;
		expect(result.error, task.name).toBeUndefined();
		const [request] = await commands.modelRequests(url);
		const ends = events.filter((event): event is EventOf<'tool_call_end'> => event.type === 'tool_call_end');
		return {
			turns: result.turns,
			overheadTokens: overheadOf(request?.body),
			surprises: task.steps.flatMap((step, index) => surpriseOf(step, ends[index]))
		};
	} finally {
		await session.abort();
		expect(await commands.stopModel(url)).toEqual([]);
	}
}

function turnsOf({ steps }: Task): ScenarioTurn[] {
	const calls = steps.map((step): ScenarioTurn => ({
		toolCalls: [{ name: step.tool, arguments: step.arguments, verbatim: true }]
	}));
	return [...calls, { text: 'Done.' }];
}

function surpriseOf(step: Step, end: EventOf<'tool_call_end'> | undefined): string[] {
	const label = `${step.tool} ${JSON.stringify(step.arguments).slice(0, 160)}`;
	if (!end) return [`${label}: was not called`];
	const { output, isError } = end;
	const tail = output.slice(-600);
	if (step.lenient && isError)
		return output.startsWith('Invalid arguments') ? [] : [`${label}: does not say what is wrong: ${tail}`];
	if (isError !== (step.fails ?? false)) return [`${label}: ${isError ? 'failed' : 'did not fail'}: ${tail}`];
	if (step.shows !== undefined && !output.includes(step.shows)) return [`${label}: lacks ${step.shows}: ${tail}`];
	if (step.hides !== undefined && output.includes(step.hides)) return [`${label}: has ${step.hides}: ${tail}`];
	return [];
}

/** Size of a request without its messages. */
function overheadOf(body: unknown): number {
	if (typeof body !== 'object' || body === null) return 0;
	const parts = { system: 'system' in body ? body.system : '', tools: 'tools' in body ? body.tools : [] };
	return Math.round(JSON.stringify(parts).length / CHARACTERS_PER_TOKEN);
}

/** Runs the commands that judge the finished tree, here and natively on the same files. */
async function judge(
	{ verdicts, repository }: Task,
	environment: WasmExecutionEnvironment,
	ledger: EgressLedger
): Promise<TaskFigures['verdicts']> {
	ledger.allow(REGISTRY_HOST);
	const listed = await environment.exec('git ls-files -co --exclude-standard');
	const files: Record<string, string> = {};
	for (const name of listed.stdout.split('\n').filter((line) => line !== ''))
		files[name] = await environment.readFile(name);
	const lines = verdicts.map(({ command }) => command);
	const native = await commands.nativeFindings(files, lines, repository.installs);
	const judged: TaskFigures['verdicts'] = [];
	for (const [index, verdict] of verdicts.entries()) {
		const { command } = verdict;
		const { stdout, stderr, exitCode } = await environment.exec(command, { timeoutMs: VERDICT_LIMIT_MS });
		const beside = native[index];
		if (!beside) throw new Error(`${command} was not run natively`);
		judged.push({ ...verdict, tab: findingsOf(`${stdout}\n${stderr}`, exitCode), native: beside });
	}
	return judged;
}
