import { describe, expect, it } from 'vitest';
import { countLines, parseAgentPatch, parseUnified, replacementLines } from '#page/timeline/diff-lines.ts';
import { tail } from '#page/timeline/output.ts';
import { plainOutput } from '#agent/tools/plain-output.ts';
import { toolKind } from '#page/timeline/tool-kind.ts';

describe('diffs', () => {
	it('numbers the lines of a unified diff and parts its hunks', () => {
		const lines = parseUnified(
			'--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -9 +9,2 @@\n z\n+--- y\n\\ No newline at end of file\n'
		);
		expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
			...['same a', 'removed b', 'added c', 'gap ', 'same z', 'added --- y']
		]);
		expect(lines.at(-1)?.newNumber).toBe(10);
		expect(countLines(lines)).toEqual({ added: 2, removed: 1 });
	});

	it('shows an edit as context, what goes and what comes', () => {
		expect(replacementLines('a\nb\nc', 'a\nx\ny\nc').map(({ kind }) => kind)).toEqual([
			...['same', 'removed', 'added', 'added', 'same']
		]);
		expect(replacementLines('', 'new')).toEqual([{ kind: 'added', text: 'new' }]);
	});

	it('reads a patch in the agents’ format while it is still arriving', () => {
		const lines = parseAgentPatch('*** Begin Patch\n*** Update File: a.ts\n@@ function f\n-old\n+ne');
		expect(lines.map(({ kind }) => kind)).toEqual(['gap', 'gap', 'removed', 'added']);
	});
});

describe('output', () => {
	it('takes colours and overwritten lines out', () => {
		expect(plainOutput('\u001b[31mred\u001b[0m\r\n10%\r100%\ndone')).toBe('red\n100%\ndone');
	});

	it('keeps the last lines and counts the others', () => {
		expect(tail('1\n2\n3\n4\n', 2)).toEqual({ text: '3\n4\n', hidden: 2 });
		expect(tail('1\n2', 5)).toEqual({ text: '1\n2', hidden: 0 });
	});
});

it('knows every profile’s tools by what they do', () => {
	expect(['Bash', 'exec_command', 'run_shell_command', 'bash'].map(toolKind)).toEqual(Array(4).fill('shell'));
	expect(['Edit', 'replace', 'edit'].map(toolKind)).toEqual(Array(3).fill('edit'));
	expect(['Agent', 'TaskOutput', 'message_agent', 'close_agent'].map(toolKind)).toEqual(Array(4).fill('agent'));
	expect(toolKind('mcp__weather')).toBe('other');
});
