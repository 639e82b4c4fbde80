import type { ExecutionEnvironment } from '#environment/contract.ts';
import { bind } from '#agent/profiles/bind.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { DEFAULT_MAX_IMAGE_BYTES } from '#agent/image-policy.ts';
import type { TodoItem } from '#agent/todo.ts';
import type { ProposedChange, ToolBinding, ToolContext, ToolResult, ToolState } from '#agent/tool.ts';
import { applyPatch } from '#agent/tools/apply-patch/tool.ts';
import { editFile } from '#agent/tools/edit-file.ts';
import { glob } from '#agent/tools/glob.ts';
import { grep } from '#agent/tools/grep.ts';
import { listDirectory } from '#agent/tools/list-directory.ts';
import { readFile } from '#agent/tools/read-file.ts';
import { readManyFiles } from '#agent/tools/read-many-files.ts';
import { ToolRegistry } from '#agent/tools/registry.ts';
import { shellInput } from '#agent/tools/shell-input.ts';
import { shell } from '#agent/tools/shell.ts';
import { todo } from '#agent/tools/todo.ts';
import { createToolLimits } from '#agent/tools/truncation.ts';
import { writeFile } from '#agent/tools/write-file.ts';

/** Runs tools in an environment as a session would, without a model. */
export interface ToolHarness {
	environment: ExecutionEnvironment;
	context: ToolContext;
	registry: ToolRegistry;
	/** Actions for which tools requested permission, in order. */
	proposals: ProposedChange[];
	/** Progress output of the tools. */
	progress: string[];
	todo: TodoItem[];
	call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
}

/** The generic profile's seven tools plus the neutral ones. */
export function harnessTools(): ToolBinding[] {
	const neutral = [
		readFile,
		writeFile,
		editFile,
		applyPatch,
		shell,
		shellInput,
		glob,
		listDirectory,
		readManyFiles,
		todo
	];
	return [
		...neutral.map((tool) => bind(tool, { name: tool.name })),
		bind(grep, { name: 'grep_neutral' }),
		...createPiProfile({ model: 'test' }).tools
	];
}

export function memoryState(): ToolState {
	const values = new Map<symbol, unknown>();
	return {
		get<T>(key: symbol, create: () => T): T {
			if (!values.has(key)) values.set(key, create());
			return values.get(key) as T;
		}
	};
}

export function createHarness(environment: ExecutionEnvironment, overrides: Partial<ToolContext> = {}): ToolHarness {
	const registry = new ToolRegistry(harnessTools());
	const proposals: ProposedChange[] = [];
	const progress: string[] = [];
	const items: TodoItem[] = [];
	let calls = 0;
	const context: ToolContext = {
		callId: 'call-0',
		agentId: 'main',
		environment,
		signal: new AbortController().signal,
		onProgress: (delta) => progress.push(delta),
		propose: (change) => {
			proposals.push(change);
			return Promise.resolve();
		},
		state: memoryState(),
		limits: createToolLimits(),
		images: { maxBytes: DEFAULT_MAX_IMAGE_BYTES },
		todo: { read: () => items, replace: (next) => void items.splice(0, items.length, ...next) },
		...overrides
	};
	return {
		environment,
		context,
		registry,
		proposals,
		progress,
		todo: items,
		call: (name, args) =>
			registry.execute(
				{ type: 'tool_call', id: `call-${++calls}`, name, arguments: args },
				{ ...context, callId: `call-${calls}` }
			)
	};
}

/** Part of the details that a tool sends to the page. */
export function detail(result: ToolResult, key: string): unknown {
	const { details } = result;
	return typeof details === 'object' && details !== null
		? Object.entries(details).find(([name]) => name === key)?.[1]
		: undefined;
}

/** The eight-byte signature of a PNG, and a little more. */
export const PNG = new Uint8Array([
	0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52
]);

export type HarnessOf = () => ToolHarness;
