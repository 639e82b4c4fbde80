import { z } from 'zod';
import { READ_ONLY_RIGHTS, type Process, type Rights } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { PermissionDenied } from '../guards/refusals.ts';
import type { Tool, ToolBinding, ToolContext, ToolResult } from '../tool.ts';
import { ToolRegistry } from '../tools/registry.ts';
import { MESSAGE_MARK, programFor } from './script.ts';

const schema = z.object({ input: z.string().min(1).describe('JavaScript, the body of an async function.') });

const message = z.discriminatedUnion('type', [
	z.object({ type: z.literal('text'), text: z.string() }),
	z.object({ type: z.literal('call'), id: z.number(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
	z.object({ type: z.literal('done') }),
	z.object({ type: z.literal('failed'), message: z.string() })
]);

/** Time limit of a script, including the time of its tools. */
const LIMIT_MS = 600_000;
/** Fields of a command's result that a script may want separately. */
const commandDetails = z.object({ exitCode: z.number(), durationMs: z.number().optional() });

/**
 * Creates the only tool of code mode: it runs a script that calls the other tools, as an ordinary program of the
 * environment. The script's calls pass the same checks and guards as direct calls of the model.
 */
export function createExec(bindings: ToolBinding[]): Tool<typeof schema> {
	const registry = new ToolRegistry(bindings);
	const list = registry.definitions().map(({ name, description }) => ({ name, description }));
	return {
		name: 'exec',
		description: `Runs JavaScript that calls tools, so that many steps take one call: \`const r = await tools.exec_command({cmd: "ls"}); text(r.output)\`. text(value) gives you a value; what is not given is not seen. tools: ${list.map(({ name }) => name).join(', ')}; ALL_TOOLS tells what each does.`,
		schema,
		access: 'write',
		guardsItself: true,
		async execute({ input }, context) {
			const path = `/tmp/sandglass-script-${context.callId.replace(/[^\w-]/g, '').slice(-40) || 'call'}.cjs`;
			await context.environment.writeFile(path, programFor(input, list));
			try {
				return await new ScriptRun(registry, context, input).run(path);
			} finally {
				await context.environment.remove(path);
			}
		}
	};
}

/** Extracts a command's output from its result, without the notes for the model below it. */
function printed(content: string): string {
	if (content === '(no output)') return '';
	return content.replace(/(?:^|(?<=\n))\[Exit code: \d+\]$/, '');
}

/** One execution of a script. */
class ScriptRun {
	readonly #texts: string[] = [];
	readonly #errors: string[] = [];
	#failure: string | null = null;
	#denied: PermissionDenied | null = null;
	#pending = '';
	#process: Process | null = null;
	#calls = 0;
	/** Writing tools run one after another, like direct calls of the model. */
	#writing: Promise<unknown> = Promise.resolve();
	readonly #open = new Set<Promise<void>>();

	constructor(
		private readonly registry: ToolRegistry,
		private readonly context: ToolContext,
		/** Source as the model wrote it. */
		private readonly source: string
	) {}

	/**
	 * Starts the script with read-only rights: it can change files only through tools, which ask. If the environment
	 * cannot enforce rights, the whole script is proposed first.
	 */
	async #startLimited(start: (rights?: Rights) => Promise<Process>): Promise<Process> {
		try {
			return await start(READ_ONLY_RIGHTS);
		} catch (error) {
			if (!isEnvironmentError(error) || error.code !== 'EUNAVAILABLE') throw error;
		}
		const cwd = this.context.environment.workingDirectory();
		await this.context.propose({ kind: 'execute', command: this.source, cwd, description: 'Run a script' });
		return start();
	}

	async run(path: string): Promise<ToolResult> {
		const { environment, signal } = this.context;
		const started = performance.now();
		// Output may arrive before `start` has returned the process.
		let ready: (process: Process) => void = () => undefined;
		const process = new Promise<Process>((resolve) => (ready = resolve));
		const start = (rights?: Rights): Promise<Process> =>
			environment.start(`node ${path}`, {
				timeoutMs: LIMIT_MS,
				...(rights ? { rights } : {}),
				onOutput: ({ stream, data }) => {
					if (stream === 'stderr') this.#errors.push(data);
					else this.#read(data, process);
				}
			});
		this.#process = await this.#startLimited(start);
		ready(this.#process);
		const stop = (): void => void this.#process?.kill('SIGTERM');
		signal.addEventListener('abort', stop);
		// The run may have been stopped while the process started.
		if (signal.aborted) stop();
		const result = await this.#process.exited;
		signal.removeEventListener('abort', stop);
		await Promise.allSettled(this.#open);
		if (this.#denied) throw this.#denied;
		signal.throwIfAborted();
		const seconds = ((performance.now() - started) / 1_000).toFixed(1);
		const failure =
			this.#failure ?? (result.exitCode === 0 ? null : this.#errors.join('') || `Exit code ${result.exitCode}`);
		const head = `Script ${failure === null ? 'completed' : 'failed'}\nWall time ${seconds} seconds\nOutput:\n`;
		const body = [...this.#texts, ...(failure === null ? [] : [`Script error:\n${failure}`])].join('\n');
		return {
			content: head + body,
			details: { calls: this.#calls, exitCode: result.exitCode },
			isError: failure !== null
		};
	}

	#read(data: string, process: Promise<Process>): void {
		this.#pending += data;
		for (let end = this.#pending.indexOf('\n'); end >= 0; end = this.#pending.indexOf('\n')) {
			const line = this.#pending.slice(0, end);
			this.#pending = this.#pending.slice(end + 1);
			if (line.startsWith(MESSAGE_MARK)) this.#receive(line.slice(MESSAGE_MARK.length), process);
			else this.#texts.push(line);
		}
	}

	#receive(line: string, process: Promise<Process>): void {
		let value: unknown;
		try {
			value = JSON.parse(line);
		} catch {
			return;
		}
		const parsed = message.safeParse(value);
		if (!parsed.success) return;
		const request = parsed.data;
		if (request.type === 'text') this.#texts.push(request.text);
		else if (request.type === 'failed') this.#failure = request.message;
		else if (request.type === 'call') {
			const work = this.#answer(request, process).finally(() => this.#open.delete(work));
			this.#open.add(work);
		}
	}

	async #answer(
		{ id, name, arguments: args }: { id: number; name: string; arguments: Record<string, unknown> },
		process: Promise<Process>
	): Promise<void> {
		const callId = `${this.context.callId}.${++this.#calls}`;
		this.context.onProgress(`tools.${name}(${JSON.stringify(args).slice(0, 300)})\n`);
		const call = () =>
			this.registry.execute({ type: 'tool_call', id: callId, name, arguments: args }, { ...this.context, callId });
		let result: ToolResult;
		try {
			const writes = this.registry.access(name) === 'write';
			const work = writes ? this.#writing.then(call) : call();
			if (writes) this.#writing = work.catch(() => undefined);
			result = await work;
		} catch (error) {
			if (error instanceof PermissionDenied) this.#denied = error;
			await (await process).kill('SIGTERM');
			return;
		}
		// A failed command is a result, not an error: scripts check its exit code.
		const command = commandDetails.safeParse(result.details);
		const value = command.success
			? {
					output: printed(result.content),
					exit_code: command.data.exitCode,
					wall_time_seconds: (command.data.durationMs ?? 0) / 1_000
				}
			: result.content;
		const isError = result.isError && !command.success;
		await (await process).write(`${JSON.stringify({ id, isError, value })}\n`).catch(() => undefined);
	}
}
