import { describe, expect, it } from 'vitest';
import { createExec } from '#agent/code-mode/exec.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import type { AnyTool } from '#agent/profiles/bind.ts';
import { createApplyPatch } from '#agent/tools/apply-patch/tool.ts';
import { askUser } from '#agent/tools/ask-user.ts';
import { closeAgent } from '#agent/tools/close-agent.ts';
import { editFile, editFileMany } from '#agent/tools/edit-file.ts';
import { find } from '#agent/tools/find.ts';
import { glob } from '#agent/tools/glob.ts';
import { grepPage } from '#agent/tools/grep-page.ts';
import { grep } from '#agent/tools/grep.ts';
import { listDirectory } from '#agent/tools/list-directory.ts';
import { listProcesses } from '#agent/tools/list-processes.ts';
import { ls } from '#agent/tools/ls.ts';
import { preview } from '#agent/tools/preview.ts';
import { readFile } from '#agent/tools/read-file.ts';
import { readManyFiles } from '#agent/tools/read-many-files.ts';
import { sendInput } from '#agent/tools/send-input.ts';
import { shellInput } from '#agent/tools/shell-input.ts';
import { shellTail } from '#agent/tools/shell-tail.ts';
import { shell } from '#agent/tools/shell.ts';
import { spawnAgent } from '#agent/tools/spawn-agent.ts';
import { todo } from '#agent/tools/todo.ts';
import { wait } from '#agent/tools/wait.ts';
import { writeFile } from '#agent/tools/write-file.ts';
import { parametersOf } from '#agent/tools/arguments.ts';

/** Tools that a host may use without a profile. */
const tools: AnyTool[] = [
	createExec([]),
	createApplyPatch(),
	askUser,
	closeAgent,
	editFile,
	editFileMany,
	find,
	glob,
	grepPage,
	grep,
	listDirectory,
	listProcesses,
	ls,
	preview,
	readFile,
	readManyFiles,
	sendInput,
	shellInput,
	shellTail,
	shell,
	spawnAgent,
	todo,
	wait,
	writeFile
];

/** Parameters with self-explanatory names. */
const PLAIN = [
	...['todos', 'plan', 'explanation', 'message', 'model', 'question', 'height'],
	...[
		'ignoreCase',
		'case_insensitive',
		'line_numbers',
		'only_matching',
		'output_mode',
		'before',
		'after',
		'context',
		'literal'
	]
];

/** Names of the parameters without a description. */
function undescribed(parameters: Record<string, unknown>): string[] {
	const properties = Object(parameters['properties']) as Record<string, { description?: string }>;
	return Object.keys(properties).filter((name) => !PLAIN.includes(name) && !properties[name]?.description);
}

describe('what a model reads of a tool', () => {
	it.each(tools.map((tool) => [tool.name, tool] as const))(
		'is a name, sentences, and some for each parameter: %s',
		(_, tool) => {
			expect(tool.name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
			expect(tool.description).toMatch(/^[A-Z].{15,}\.$/s);
			expect(undescribed(parametersOf(tool.schema))).toEqual([]);
		}
	);

	it('is another for each', () => {
		expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
		expect(new Set(tools.map(({ description }) => description)).size).toBe(tools.length);
	});

	it.each([createAnthropicProfile, createOpenAIProfile, createGeminiProfile, createPiProfile])(
		'is whole in the words of each vendor, too',
		(create) => {
			for (const { definition } of create({ model: 'm' }).tools)
				expect([definition.name, ...undescribed(definition.parameters)]).toEqual([definition.name]);
		}
	);
});
