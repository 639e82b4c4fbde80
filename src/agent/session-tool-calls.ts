import type { ToolCallPart } from '#llm/types.ts';
import type { Guards } from './api.ts';
import type { WriteDiagnostics } from './diagnostics/write-diagnostics.ts';
import { ChangedPaths } from './extensions/project-hooks/changed-paths.ts';
import type { HookedCall, ProjectHooks } from './extensions/project-hooks/project-hooks.ts';
import { DEFAULT_MAX_IMAGE_BYTES } from './image-policy.ts';
import { ServerNotices } from './server-notices.ts';
import type { SessionParts } from './session-parts.ts';
import type { Subagents } from './subagents.ts';
import type { TodoList } from './todo-list.ts';
import type { Tool, ToolBinding, ToolContext, ToolLimits, ToolResult, ToolState } from './tool.ts';
import { errorResult } from './tools/result.ts';
import { createToolLimits } from './tools/truncation.ts';

const DEFAULT_MAX_DEPTH = 1;

type Caller = Pick<
	SessionParts,
	'options' | 'profile' | 'parent' | 'images' | 'emitter' | 'question' | 'files' | 'fileFork' | 'log'
>;

/** Parts of a session that its tools use. */
interface Reached {
	readonly todo: TodoList;
	readonly subagents: Subagents;
	readonly guards: Required<Guards>;
	readonly state: ToolState;
	readonly hooks: ProjectHooks;
	/** `null`: disabled. */
	readonly diagnostics: WriteDiagnostics | null;
	/** Changes the session's state while the model waits for the user. */
	suspend(waiting: boolean): void;
}

/** Surrounds a session's tool calls with their context, checkpoints, diagnostics and notices. */
export class SessionToolCalls {
	readonly #servers: ServerNotices;

	constructor(
		private readonly session: Caller,
		private readonly reached: Reached
	) {
		this.#servers = new ServerNotices(session.options.environment);
	}

	get limits(): ToolLimits {
		const { options, profile } = this.session;
		const timeout = options.defaultCommandTimeoutMs ?? profile.defaultCommandTimeoutMs;
		return createToolLimits({
			...options.outputLimits,
			...(timeout === undefined ? {} : { defaultCommandTimeoutMs: timeout })
		});
	}

	/** Context of one call. */
	context(call: ToolCallPart, signal: AbortSignal, onProgress: (delta: string) => void): ToolContext {
		const { session } = this;
		const { todo, guards, state, subagents } = this.reached;
		const agentId = session.parent?.agentId ?? 'main';
		const depth = session.parent?.depth ?? 0;
		const mayHaveAgents = depth < (session.options.maxSubagentDepth ?? DEFAULT_MAX_DEPTH);
		const info = { callId: call.id, agentId, toolName: call.name, signal };
		return {
			callId: call.id,
			agentId,
			environment: session.options.environment,
			signal,
			onProgress,
			propose: (change) => guards.propose(change, info),
			permitCommand: (change, exec) => guards.permitCommand(change, exec, info),
			state,
			limits: this.limits,
			commandPrefix: session.options.commandPrefix,
			images: { maxBytes: session.images.maxBytes ?? DEFAULT_MAX_IMAGE_BYTES, scale: session.options.scaleImage },
			todo: { read: () => todo.read(), replace: (items) => todo.replace(items) },
			...(mayHaveAgents ? { agents: subagents.during(signal) } : {}),
			...(session.parent ? {} : { askUser: (...asked) => this.#askUser(call.id, signal, ...asked) })
		};
	}

	/**
	 * Runs a call. A writing call has a checkpoint before it, and diagnostics of its changes in the result. The result
	 * lists servers that started to listen.
	 */
	async run(
		call: ToolCallPart,
		{ tool }: ToolBinding,
		execute: () => Promise<ToolResult>,
		signal: AbortSignal
	): Promise<ToolResult> {
		this.#servers.prepare();
		return this.#servers.append(await this.#runWithHooks(call, tool, execute, signal), tool.name);
	}

	/** Changes by hooks are recorded like those of a command, and undone together with the call that triggered them. */
	async #runWithHooks(
		call: ToolCallPart,
		tool: Tool,
		execute: () => Promise<ToolResult>,
		signal: AbortSignal
	): Promise<ToolResult> {
		const { hooks } = this.reached;
		const { files } = this.session;
		const hooked: HookedCall = { names: [tool.name, call.name], arguments: call.arguments };
		if (hooks.concerns('before_tool', hooked)) {
			const reason = await files.during('shell', () =>
				hooks.beforeTool(
					hooked,
					this.context(call, signal, () => {})
				)
			);
			if (reason !== null) return errorResult(reason, { refused: true, blocked: true });
		}
		if (!hooks.concerns('after_tool', hooked)) return this.#run(tool, execute);
		const context = this.context(call, signal, () => {});
		const executeWithHooks = async (): Promise<ToolResult> => {
			const changed = new ChangedPaths(context.environment);
			let paths: readonly string[] = [];
			let result: ToolResult;
			try {
				result = await execute();
			} finally {
				paths = changed.end();
			}
			return hooks.afterTool(hooked, result, paths, context);
		};
		const run = (): Promise<ToolResult> => this.#run(tool, executeWithHooks);
		return tool.access === 'write' ? run() : files.during('shell', run);
	}

	async #run(tool: Tool, execute: () => Promise<ToolResult>): Promise<ToolResult> {
		if (tool.access !== 'write') {
			const result = await execute();
			if (tool.access === 'read') this.reached.diagnostics?.prepare(result);
			return result;
		}
		const { files, fileFork } = this.session;
		const shell = tool.name.startsWith('shell');
		// Commands on a fork do not change the project.
		if (shell && !fileFork.isOpen) await this.checkpoint('command');
		const diagnostics = shell ? null : this.reached.diagnostics;
		const result = await files.during(
			shell ? 'shell' : 'tool',
			execute,
			(value, changed) => diagnostics?.append(value, changed) ?? value
		);
		await fileFork.keep();
		return result;
	}

	/** Creates a checkpoint if the host stores them. A failure is a warning; the work continues. */
	async checkpoint(label: string): Promise<void> {
		const { options, emitter, log, parent } = this.session;
		if (!options.checkpoint || parent) return;
		try {
			const { id, tree } = await options.checkpoint(label);
			log.append({ type: 'checkpoint', checkpointId: id, tree, label });
			emitter.emit({ type: 'checkpoint', checkpointId: id, tree, label });
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			emitter.emit({ type: 'warning', code: 'checkpoint_failed', message: `No checkpoint was taken: ${reason}` });
		}
	}

	#askUser(
		callId: string,
		signal: AbortSignal,
		question: string,
		options?: string[],
		multiple = false
	): Promise<string> {
		const { emitter, question: pending } = this.session;
		const show = (): void => {
			emitter.emit({
				type: 'question',
				callId,
				question,
				...(options ? { options } : {}),
				...(multiple ? { multiple } : {})
			});
			this.reached.suspend(true);
		};
		return pending.ask(signal, show, () => this.reached.suspend(false));
	}
}
