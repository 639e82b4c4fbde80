import type { EventBody } from '../../events.ts';
import type { ToolContext, ToolResult } from '../../tool.ts';
import { runHook, type HookOutcome } from './run-hook.ts';
import type { HookEvent, ProjectHook } from './settings.ts';

/** Maximum number of times that hooks can prevent the agent from ending after one message. */
export const MAX_REFUSED_ENDS = 3;

/** A tool call as hooks read it. */
export interface HookedCall {
	/** Neutral name, and the name that the model uses. */
	names: readonly [neutral: string, shown: string];
	arguments: Record<string, unknown>;
}

/** Runs the hooks of a project and builds the texts that the model gets from them. */
export class ProjectHooks {
	#refusedEnds = 0;

	/**
	 * @param hooks returns the hooks of the current run
	 * @param emit receives one `hook_run` for each command
	 */
	constructor(
		private readonly hooks: () => readonly ProjectHook[],
		private readonly emit: (body: EventBody) => unknown
	) {}

	/** Returns true if a hook runs before or after calls of a tool. */
	concerns(event: 'before_tool' | 'after_tool', call: HookedCall): boolean {
		return this.#ofTool(event, call).length > 0;
	}

	/** Returns the reason why the call must not run, or `null`. The first hook that fails decides. */
	async beforeTool(call: HookedCall, context: ToolContext): Promise<string | null> {
		const [tool] = call.names;
		for (const hook of this.#ofTool('before_tool', call)) {
			const outcome = await this.#run(hook, { tool, arguments: call.arguments }, context, context.callId);
			if (!outcome) return 'Operation aborted';
			if (outcome.exitCode !== 0)
				return withOutput(`Not run: a hook of this project refused it (${described(hook, outcome)}).`, outcome);
		}
		return null;
	}

	/**
	 * Appends the hooks' output to the result of a call.
	 *
	 * @param paths files that the call changed, relative to the working directory
	 */
	async afterTool(
		call: HookedCall,
		result: ToolResult,
		paths: readonly string[],
		context: ToolContext
	): Promise<ToolResult> {
		const [tool] = call.names;
		const notes = result.note === undefined ? [] : [result.note];
		const about = { tool, arguments: call.arguments, paths, is_error: result.isError, output: result.content };
		for (const hook of this.#ofTool('after_tool', call)) {
			const outcome = await this.#run(hook, about, context, context.callId);
			if (!outcome) break;
			notes.push(...noteOf(hook, outcome));
		}
		return notes.length === 0 ? result : { ...result, note: notes.join('\n') };
	}

	/** Returns the text that the hooks add to the conversation before a message of the user. */
	async beforeMessage(message: string, context: ToolContext): Promise<string[]> {
		this.#refusedEnds = 0;
		const added: string[] = [];
		for (const hook of this.#of('message')) {
			const outcome = await this.#run(hook, { message }, context);
			if (!outcome) break;
			added.push(...noteOf(hook, outcome));
		}
		return added;
	}

	/**
	 * Returns what the agent must do before it may end, or `null`.
	 *
	 * @param text the agent's last message
	 */
	async beforeEnd(text: string, context: ToolContext): Promise<string | null> {
		if (this.#refusedEnds >= MAX_REFUSED_ENDS) return null;
		const failed: string[] = [];
		for (const hook of this.#of('end')) {
			const outcome = await this.#run(hook, { text }, context);
			if (!outcome) return null;
			if (outcome.exitCode !== 0) failed.push(...noteOf(hook, outcome));
		}
		if (failed.length === 0) return null;
		this.#refusedEnds += 1;
		return `The project checks your work before you end, and it failed. Mend the cause, or say why you cannot.\n${failed.join('\n')}`;
	}

	#of(event: HookEvent): readonly ProjectHook[] {
		return this.hooks().filter((hook) => hook.event === event);
	}

	#ofTool(event: 'before_tool' | 'after_tool', { names }: HookedCall): readonly ProjectHook[] {
		return this.#of(event).filter(
			(hook) => !('tools' in hook) || !hook.tools || names.some((name) => hook.tools?.includes(name))
		);
	}

	async #run(
		hook: ProjectHook,
		about: Record<string, unknown>,
		context: ToolContext,
		callId?: string
	): Promise<HookOutcome | null> {
		const { event, command } = hook;
		const outcome = await runHook(context, hook, { event, ...about });
		if (outcome)
			this.emit({ type: 'hook_run', event, command, ...outcome, ...(callId === undefined ? {} : { callId }) });
		return outcome;
	}
}

/** Text for the model about a hook that ran; none if it succeeded without output. */
function noteOf(hook: ProjectHook, outcome: HookOutcome): string[] {
	if (outcome.exitCode === 0 && outcome.output === '') return [];
	return [withOutput(`[Hook of this project: ${described(hook, outcome)}]`, outcome)];
}

function described({ command }: ProjectHook, { exitCode }: HookOutcome): string {
	if (exitCode === 0) return `\`${command}\``;
	return exitCode === null ? `\`${command}\` did not finish` : `\`${command}\` failed, exit code ${exitCode}`;
}

const withOutput = (line: string, { output }: HookOutcome): string => (output === '' ? line : `${line}\n${output}`);
