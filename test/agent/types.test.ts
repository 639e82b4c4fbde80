import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Compiler errors for files that a host might write next to the library. */
function compile(sources: Record<string, string>): Record<string, string[]> {
	const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
	const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, root);
	const files = new Map(Object.entries(sources).map(([name, text]) => [path.join(root, 'test/agent', name), text]));
	const host = ts.createCompilerHost({ ...options, noEmit: true });
	const { getSourceFile, fileExists, readFile } = host;
	host.fileExists = (name) => files.has(name) || fileExists(name);
	host.readFile = (name) => files.get(name) ?? readFile(name);
	host.getSourceFile = (name, ...rest) => {
		const text = files.get(name);
		return text === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, text, ts.ScriptTarget.ESNext);
	};
	const program = ts.createProgram([...files.keys()], { ...options, noEmit: true, skipLibCheck: true }, host);
	return Object.fromEntries(
		[...files.keys()].map((name) => [
			path.basename(name),
			ts
				.getPreEmitDiagnostics(program, program.getSourceFile(name))
				.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
		])
	);
}

const EVENTS = [
	'session_start',
	'session_end',
	'agent_start',
	'agent_end',
	'state_change',
	'user_input',
	'turn_start',
	'turn_end',
	'message_start',
	'message_end',
	'assistant_text_start',
	'assistant_text_delta',
	'assistant_text_end',
	'reasoning_start',
	'reasoning_delta',
	'reasoning_end',
	'tool_call_delta',
	'tool_call_start',
	'tool_call_output_delta',
	'tool_call_end',
	'steering_injected',
	'usage',
	'retry',
	'permission_request',
	'permission_resolved',
	'question',
	'file_change',
	'file_fork',
	'diagnostics',
	'checkpoint',
	'todo_reminder',
	'context_compact',
	'context_usage',
	'turn_limit',
	'loop_detection',
	'notice',
	'warning',
	'error',
	'hook_error',
	'hook_run',
	'model_change',
	'machine_change',
	'session_fork',
	'subagent_event'
];
const switchOver = (events: string[]): string => `
	import type { SessionEvent } from '#agent/index.ts';
	export function name(event: SessionEvent): string {
		switch (event.type) {
			${events.map((event) => `case '${event}': return '${event}';`).join('\n')}
			default: { const never: never = event; return never; }
		}
	}`;
const config = (fields: string): string => `
	import type { AgentLoopConfig } from '#agent/index.ts';
	declare const given: AgentLoopConfig;
	const { client, provider, model, systemPrompt, tools, environment } = given;
	export const config: AgentLoopConfig = { ${fields} };`;

describe('types', () => {
	const said = compile({
		'every-event.ts': switchOver(EVENTS),
		'an-event-short.ts': switchOver(EVENTS.filter((event) => event !== 'error')),
		'config-whole.ts': config('client, provider, model, systemPrompt, tools, environment'),
		'config-without-prompt.ts': config('client, provider, model, tools, environment'),
		'config-without-tools.ts': config('client, provider, model, systemPrompt, environment')
	});

	it('let a host handle every event, and tell it which one it forgot [F-004-1]', () => {
		expect(said['every-event.ts']).toEqual([]);
		expect(said['an-event-short.ts']?.join()).toContain("is not assignable to type 'never'");
	});

	it('refuse a loop without its prompt or its tools [F-002-e1]', () => {
		expect(said['config-whole.ts']).toEqual([]);
		expect(said['config-without-prompt.ts']?.join()).toContain('systemPrompt');
		expect(said['config-without-tools.ts']?.join()).toContain('tools');
	});
});
