import type { ToolResult } from '../tool.ts';

/** Prefixes each line with its number and a tab, the format that Claude models know. Notices below stay unchanged. */
export function withLineNumbers(result: ToolResult): ToolResult {
	const { details } = result;
	if (result.isError || result.images || typeof details !== 'object' || details === null) return result;
	if (!('startLine' in details && 'outputLines' in details)) return result;
	const { startLine, outputLines } = details;
	if (typeof startLine !== 'number' || typeof outputLines !== 'number') return result;
	if (startLine === 0) return { ...result, content: '[The file exists and is empty.]' };
	const rows = result.content.split('\n');
	const numbered = rows.slice(0, outputLines).map((row, index) => `${startLine + index}\t${row.replace(/\r$/, '')}`);
	const below = rows.slice(outputLines).join('\n').trim();
	return { ...result, content: numbered.join('\n') + (below ? `\n\n${below}` : '') };
}
