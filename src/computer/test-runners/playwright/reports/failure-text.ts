import type { Attempt, ResultError, TestReport } from '../run/results.ts';
import { codeFrame } from './code-frame.ts';
import { fullTitle } from './names.ts';

const WIDTH = 100;

export type ReadText = (path: string) => string | null;

/** Formats everything that went wrong in a test, as Playwright's terminal reporters do. */
export function failureText(report: TestReport, number: number | null, read: ReadText): string {
	const head = `  ${number === null ? '' : `${number}) `}${fullTitle(report)} `;
	const lines = [head.padEnd(WIDTH, '─'), ''];
	for (const attempt of report.attempts) {
		if (attempt.status === report.expectedStatus && attempt.errors.length === 0) continue;
		if (attempt.retry > 0) lines.push(`    Retry #${attempt.retry} `.padEnd(WIDTH, '─'), '');
		lines.push(...attemptLines(attempt, read));
	}
	return lines.join('\n');
}

function attemptLines(attempt: Attempt, read: ReadText): string[] {
	const errors = attempt.errors.flatMap((error) => [...errorText(error, read).split('\n').map(indented), '']);
	const files = attempt.attachments.flatMap(({ name, contentType, path }) =>
		path === undefined ? [] : [`    attachment: ${name} (${contentType}): ${path}`]
	);
	return [...errors, ...files, ...(files.length > 0 ? [''] : [])];
}

/** Formats a message and the lines of code around it. */
export function errorText({ message, place }: ResultError, read: ReadText): string {
	const frame = place ? codeFrame(place, read) : [];
	return [message, ...(frame.length > 0 ? ['', ...frame] : [])].join('\n');
}

const indented = (line: string): string => (line === '' ? '' : `    ${line}`);
