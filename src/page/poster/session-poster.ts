import { plainOutput } from '#agent/tools/plain-output.ts';
import { t } from '../strings/index.ts';
import { countLines, type DiffLine } from '../timeline/diff-lines.ts';
import type { Item, ItemOf } from '../timeline/items.ts';
import { isRead, rowsOf, type Row } from '../timeline/rows.ts';
import { stepWords } from '../timeline/step-words.ts';
import { testResultOf } from '../timeline/test-result.ts';
import { toolDiff } from '../timeline/tool-diff.ts';
import type { Poster, PosterLine, PosterStep } from './poster.ts';

const MOST_STEPS = 6;
const MOST_LINES = 10;
const CONTEXT = 3;
const OUTPUT_LINES = 5;

/** Builds the poster of a finished session from its timeline. */
export function sessionPoster(project: string, task: string, answer: string, items: readonly Item[]): Poster {
	const steps = rowsOf(items, () => true).flatMap(stepOf);
	// The last steps are the ones that led to the result.
	return { project, task, answer: withoutMarks(answer), steps: steps.slice(-MOST_STEPS) };
}

/** Removes Markdown's code and bold markers, which the poster does not render. */
function withoutMarks(text: string): string {
	return text.replace(/`([^`]*)`|\*\*([^*]+)\*\*/g, '$1$2');
}

function stepOf(row: Row): PosterStep[] {
	if (row.kind === 'reads') {
		const reads = row.items.filter(isRead);
		const files = reads.filter(({ tool }) => tool === 'read').length;
		return [{ icon: 'file', verb: t.step.reads(files, reads.length - files), subject: '' }];
	}
	const [item] = row.items;
	if (row.kind !== 'item' || item?.kind !== 'tool' || item.tool === 'todo') return [];
	const { verb, subject } = stepWords(item);
	if (item.tool === 'shell') return [{ icon: 'terminal', verb, subject: firstLine(subject), ...resultOf(item) }];
	if (item.tool === 'edit' || item.tool === 'write' || item.tool === 'patch') {
		const lines = toolDiff(item);
		const { added, removed } = countLines(lines);
		const name = subject.slice(subject.lastIndexOf('/') + 1);
		const around = aroundChange(lines);
		return [{ icon: 'pencil', verb, subject: name, result: `+${added} −${removed}`, path: subject, lines: around }];
	}
	return [{ icon: isRead(item) ? 'file' : 'sliders', verb, subject: firstLine(subject) }];
}

function resultOf(item: ItemOf<'tool'>): Pick<PosterStep, 'result' | 'tone' | 'output'> {
	const tests = testResultOf(item);
	const lines = plainOutput(item.output).trimEnd().split('\n').slice(-OUTPUT_LINES);
	const output = lines.map((text) => ({ text, ...toneOf(text) }));
	if (!tests) return { output };
	return tests.failed > 0
		? { output, result: t.task.failed(tests.failed), tone: 'bad' }
		: { output, result: t.task.passed(tests.passed), tone: 'good' };
}

function toneOf(line: string): { tone?: 'good' | 'bad' } {
	if (/^\s*(✔|✓|ok\b)/.test(line)) return { tone: 'good' };
	return /^\s*(✖|✗|not ok\b)/.test(line) ? { tone: 'bad' } : {};
}

function aroundChange(lines: readonly DiffLine[]): PosterLine[] {
	const first = lines.findIndex(({ kind }) => kind === 'added' || kind === 'removed');
	const from = Math.max(0, first - CONTEXT);
	return lines.slice(from, from + MOST_LINES).map(({ kind, text, newNumber, oldNumber }) => ({
		kind,
		text,
		number: newNumber ?? oldNumber
	}));
}

function firstLine(text: string): string {
	return text.split('\n', 1)[0] ?? '';
}
