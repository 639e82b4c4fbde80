import type { ToolLimits } from '../tool.ts';

/** Maximum characters of a tool's output for the model (000 §5.2), by neutral tool name. */
export const DEFAULT_OUTPUT_CHARACTERS: Readonly<Record<string, number>> = {
	read_file: 50_000,
	read_many_files: 50_000,
	shell: 30_000,
	shell_input: 30_000,
	grep: 20_000,
	glob: 20_000,
	list_directory: 20_000,
	edit_file: 10_000,
	apply_patch: 10_000,
	write_file: 1_000,
	spawn_agent: 20_000,
	wait: 20_000,
	preview: 40_000,
	// Tools that page by lines and bytes themselves and explain how to continue; this is only a safety net.
	read_page: 120_000,
	shell_tail: 120_000,
	grep_page: 120_000,
	find: 120_000,
	ls: 120_000
};

/** Maximum lines, applied after the limit for characters (000 §5.3). */
export const DEFAULT_OUTPUT_LINES: Readonly<Record<string, number>> = {
	shell: 256,
	shell_input: 256,
	grep: 200,
	glob: 500
};

/** Limit for tools that are not in the table, such as a host's own. */
const OTHER_TOOLS_CHARACTERS = 30_000;

const TAIL_TOOLS = new Set(['grep', 'glob', 'list_directory', 'edit_file', 'apply_patch', 'write_file']);

/** Combines the specification's limits with a session's overrides. Times are in milliseconds. */
export function createToolLimits(overrides: Partial<ToolLimits> = {}): ToolLimits {
	return {
		defaultCommandTimeoutMs: overrides.defaultCommandTimeoutMs ?? 10_000,
		maxCommandTimeoutMs: overrides.maxCommandTimeoutMs ?? 600_000,
		outputCharacters: { ...DEFAULT_OUTPUT_CHARACTERS, ...overrides.outputCharacters },
		outputLines: { ...DEFAULT_OUTPUT_LINES, ...overrides.outputLines }
	};
}

/**
 * Truncates a tool's output for the model: by characters first, since two lines can hold 20 MB, then by lines
 * (000 §5). The text says what was removed.
 *
 * @param toolName neutral name
 */
export function truncateForModel(
	toolName: string,
	text: string,
	limits: Pick<ToolLimits, 'outputCharacters' | 'outputLines'>
): string {
	const maxCharacters =
		limits.outputCharacters[toolName] ?? DEFAULT_OUTPUT_CHARACTERS[toolName] ?? OTHER_TOOLS_CHARACTERS;
	const mode = TAIL_TOOLS.has(toolName) ? 'tail' : 'head_tail';
	const cut = truncateCharacters(text, maxCharacters, mode);
	const maxLines = limits.outputLines[toolName] ?? DEFAULT_OUTPUT_LINES[toolName];
	return maxLines === undefined ? cut : truncateLines(cut, maxLines);
}

/** @param maxCharacters UTF-16 units; a surrogate pair at the cut is dropped completely */
export function truncateCharacters(text: string, maxCharacters: number, mode: 'head_tail' | 'tail'): string {
	if (text.length <= maxCharacters) return text;
	const removed = text.length - maxCharacters;
	if (mode === 'tail') {
		const marker =
			`[WARNING: Tool output was truncated. First ${removed} characters were removed. ` +
			`The full output is available in the event stream.]\n\n`;
		return marker + tailOf(text, maxCharacters);
	}
	const head = Math.floor(maxCharacters / 2);
	const marker =
		`\n\n[WARNING: Tool output was truncated. ${removed} characters were removed from the middle. ` +
		`The full output is available in the event stream. ` +
		`If you need to see specific parts, re-run the tool with more targeted parameters.]\n\n`;
	return headOf(text, head) + marker + tailOf(text, maxCharacters - head);
}

export function truncateLines(text: string, maxLines: number): string {
	const lines = text.split('\n');
	if (lines.length <= maxLines) return text;
	const head = Math.floor(maxLines / 2);
	const tail = maxLines - head;
	const omitted = lines.length - head - tail;
	return `${lines.slice(0, head).join('\n')}\n[... ${omitted} lines omitted ...]\n${lines.slice(lines.length - tail).join('\n')}`;
}

const CUT_NOTICES: readonly RegExp[] = [
	/^\[\.\.\. \d{1,15} lines omitted \.\.\.\]$/,
	/^\[WARNING: Tool output was truncated\. First \d{1,15} characters were removed\. The full output is available in the event stream\.\]$/,
	/^\[WARNING: Tool output was truncated\. \d{1,15} characters were removed from the middle\. The full output is available in the event stream\. If you need to see specific parts, re-run the tool with more targeted parameters\.\]$/
];

/** Returns true for a line that {@link truncateForModel} inserted instead of removed text. */
export function isCutNotice(line: string): boolean {
	return CUT_NOTICES.some((notice) => notice.test(line));
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

function headOf(text: string, length: number): string {
	return text.slice(0, length > 0 && isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function tailOf(text: string, length: number): string {
	const start = text.length - length;
	return text.slice(start < text.length && isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}
