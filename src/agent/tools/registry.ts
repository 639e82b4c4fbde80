import type { ToolCallPart, ToolDefinition } from '#llm/types.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { redactData, redactSecrets } from '../guards/redaction.ts';
import { GuardRefusal, PermissionDenied } from '../guards/refusals.ts';
import type { Tool, ToolBinding, ToolContext, ToolResult } from '../tool.ts';
import { type ParsedArguments, parseArguments } from './arguments.ts';
import { errorResult, ToolError } from './result.ts';

/**
 * Registry of a session's tools under all their names. Look up → validate → execute → present; the loop handles
 * truncation and events. The latest registration of a name wins.
 */
export class ToolRegistry {
	readonly #bindings = new Map<string, ToolBinding>();
	/** Names that are not a binding's own: aliases and neutral names. */
	readonly #otherNames = new Map<string, string>();

	constructor(bindings: ToolBinding[] = []) {
		for (const binding of bindings) this.register(binding);
	}

	/**
	 * Adds a tool, or replaces the one with the same name.
	 *
	 * @throws TypeError if its parameters are not the JSON Schema of an object
	 */
	register(binding: ToolBinding): void {
		const { name, parameters, custom } = binding.definition;
		if (!custom && parameters['type'] !== 'object')
			throw new TypeError(`The parameters of tool ${name} must be a JSON Schema whose root type is "object".`);
		this.unregister(name);
		this.#bindings.set(name, binding);
		this.#otherNames.delete(name);
		for (const alias of [binding.tool.name, ...(binding.aliases ?? [])])
			if (!this.#bindings.has(alias)) this.#otherNames.set(alias, name);
	}

	/** Removes a tool with its aliases. Returns false if there was none with that name. */
	unregister(name: string): boolean {
		if (!this.#bindings.delete(name)) return false;
		for (const [alias, owner] of this.#otherNames) if (owner === name) this.#otherNames.delete(alias);
		return true;
	}

	/** Binding of a name or alias. */
	find(name: string): ToolBinding | undefined {
		return this.#bindings.get(name) ?? this.#bindings.get(this.#otherNames.get(name) ?? '');
	}

	names(): string[] {
		return [...this.#bindings.keys()];
	}

	/**
	 * Definitions for the model.
	 *
	 * @param active names or aliases to include; absent: all
	 */
	definitions(active?: readonly string[]): ToolDefinition[] {
		const bindings = [...this.#bindings.values()];
		if (!active) return bindings.map((binding) => binding.definition);
		const wanted = new Set(active.map((name) => this.find(name)));
		return bindings.filter((binding) => wanted.has(binding)).map((binding) => binding.definition);
	}

	/** Effect of the tool; an unknown tool has none. */
	access(name: string): Tool['access'] {
		return this.find(name)?.tool.access ?? 'none';
	}

	/**
	 * Finds a call's tool and checks its arguments. An invalid call yields an error result immediately; a failure while
	 * running becomes an error result that explains the next step.
	 */
	prepare(call: ToolCallPart): PreparedCall {
		const binding = this.find(call.name);
		if (!binding) {
			const names = this.names().join(', ') || 'none';
			return { ok: false, result: errorResult(`Unknown tool: ${call.name}. The tools here are ${names}.`) };
		}
		const parsed = parseCall(binding, call);
		if (!parsed.ok) return { ok: false, result: errorResult(parsed.message) };
		return { ok: true, run: (context) => this.#run(binding, call.name, parsed.value, context) };
	}

	/** Prepares and runs a call. @throws only PermissionDenied, which ends the run */
	async execute(call: ToolCallPart, context: ToolContext): Promise<ToolResult> {
		const prepared = this.prepare(call);
		return prepared.ok ? prepared.run(context) : prepared.result;
	}

	async #run(binding: ToolBinding, name: string, args: unknown, context: ToolContext): Promise<ToolResult> {
		try {
			context.signal.throwIfAborted();
			const result = await binding.tool.execute(args, context);
			return cleaned(binding.present ? binding.present(result) : result);
		} catch (error) {
			if (error instanceof PermissionDenied) throw error;
			return cleaned(failed(name, error, context.signal));
		}
	}
}

/** Redacts keys in files and outputs, which must not reach the model or the log. */
function cleaned(result: ToolResult): ToolResult {
	const { content, fullOutput, details } = result;
	return {
		...result,
		content: redactSecrets(content),
		...(fullOutput === undefined ? {} : { fullOutput: redactSecrets(fullOutput) }),
		...(details === undefined ? {} : { details: redactData(details) })
	};
}

/** A call that was looked up and checked. */
export type PreparedCall =
	| { ok: false; result: ToolResult }
	/** @throws only PermissionDenied, which ends the run */
	| { ok: true; run(context: ToolContext): Promise<ToolResult> };

type Parsed = ParsedArguments<Tool['schema']>;

/**
 * Checks a call against its tool's schema. Under the binding's own name, its parameters are tried first, then the
 * neutral ones; under an alias it is the other way round.
 */
function parseCall(binding: ToolBinding, call: ToolCallPart): Parsed {
	const { schema } = binding.tool;
	const neutral = (): Parsed => parseArguments(schema, call.name, call.arguments);
	const { adapt } = binding;
	if (!adapt) return neutral();
	const adapted = (): Parsed => {
		try {
			return parseArguments(schema, call.name, adapt(call.arguments));
		} catch (error) {
			return { ok: false, message: error instanceof Error ? error.message : String(error) };
		}
	};
	const [first, second] = call.name === binding.definition.name ? [adapted, neutral] : [neutral, adapted];
	const parsed = first();
	if (parsed.ok) return parsed;
	const other = second();
	return other.ok ? other : parsed;
}

/** Suggested next steps for environment errors that contain none (000 Appendix B). */
const NEXT_STEP: Readonly<Record<string, string>> = {
	ENOENT: 'Search for the right path, then try again.',
	EACCES: 'Choose another path, inside the workspace.'
};

function failed(toolName: string, error: unknown, signal: AbortSignal): ToolResult {
	if (signal.aborted) return errorResult('Operation aborted', { refused: true });
	if (error instanceof GuardRefusal) return errorResult(error.message, { refused: true, guard: error.guard });
	if (error instanceof ToolError) return errorResult(error.message, error.details);
	if (isEnvironmentError(error)) {
		const place = error.path && !error.message.includes(error.path) ? ` (${error.path})` : '';
		const step = NEXT_STEP[error.code];
		const message = `${error.code}: ${error.message}${place}`;
		return errorResult(step ? `${message.replace(/\.$/, '')}. ${step}` : message, { code: error.code });
	}
	return errorResult(`Tool error (${toolName}): ${error instanceof Error ? error.message : String(error)}`);
}
