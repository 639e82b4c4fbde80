import type { Attempt, TestReport } from '../run/results.ts';

/** `[chromium] › a.spec.ts:3:1 › outer › title`. */
export function fullTitle({ project, file, place, titles, tags }: TestReport): string {
	const more = tags.filter((tag) => !titles.join(' ').includes(tag));
	const name = [`${file}:${place.line}:${place.column}`, ...titles].join(' › ');
	return `${project === '' ? '' : `[${project}] › `}${name}${more.length > 0 ? ` ${more.join(' ')}` : ''}`;
}

export function duration(ms: number): string {
	if (ms < 1_000) return `${Math.round(ms)}ms`;
	const seconds = ms / 1_000;
	if (seconds < 60) return `${seconds.toFixed(1)}s`;
	return `${(seconds / 60).toFixed(1)}m`;
}

export const isWanted = ({ expectedStatus }: TestReport, { status }: Attempt): boolean => status === expectedStatus;
