import type { Attempt, Reporter, ResultError, TestReport } from '../run/results.ts';
import { errorText, type ReadText } from './failure-text.ts';
import { duration } from './names.ts';

/** Playwright's reporter `html`: one file without scripts, which opens in the preview. */
export class HtmlReporter implements Reporter {
	constructor(
		/** Absolute path of the file. */
		private readonly path: string,
		private readonly write: (path: string, text: string) => void,
		private readonly read: ReadText,
		private readonly print: (text: string) => void,
		private readonly now: () => Date = () => new Date()
	) {}

	begin(): void {}
	attempt(): void {}

	end(reports: readonly TestReport[], durationMs: number, errors: readonly ResultError[]): void {
		this.write(this.path, reportPage(reports, durationMs, errors, this.read, this.now()));
		this.print(`\nThe HTML report is in ${this.path}: open it in the preview.\n`);
	}
}

const COUNTED = [
	['Passed', 'expected'],
	['Failed', 'unexpected'],
	['Flaky', 'flaky'],
	['Skipped', 'skipped'],
	['Did not run', 'did not run']
] as const;

function reportPage(
	reports: readonly TestReport[],
	durationMs: number,
	errors: readonly ResultError[],
	read: ReadText,
	at: Date
): string {
	const counts = COUNTED.map(
		([label, outcome]) =>
			`<li class="${classOf(outcome)}"><b>${reports.filter((each) => each.outcome === outcome).length}</b> ${label}</li>`
	);
	const files = [...new Set(reports.map(({ file }) => file))];
	const sections = files.map((file) => {
		const tests = reports.filter((each) => each.file === file).map((each) => testHtml(each, read));
		return `<section><h2>${escaped(file)}</h2>${tests.join('')}</section>`;
	});
	const outside = errors.map((error) => `<pre class="failed">${escaped(errorText(error, read))}</pre>`);
	return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Playwright Test Report</title>
<style>${STYLE}</style>
<header><h1>Playwright Test Report</h1><p>${escaped(at.toISOString().replace('T', ' ').slice(0, 19))} UTC · ${duration(durationMs)}</p><ul>${counts.join('')}</ul></header>
<main>${outside.join('')}${sections.join('')}</main></html>
`;
}

function testHtml(report: TestReport, read: ReadText): string {
	const { outcome, project, titles, place, attempts, annotations } = report;
	const took = duration(attempts.reduce((sum, each) => sum + each.durationMs, 0));
	const label = project === '' ? '' : `<span class="tag">${escaped(project)}</span>`;
	const notes = annotations.map(
		({ type, description }) => `<p class="note">${escaped(type)}${description ? `: ${escaped(description)}` : ''}</p>`
	);
	const body = attempts.map((attempt) => attemptHtml(attempt, read)).join('');
	return `<details class="${classOf(outcome)}"${outcome === 'unexpected' ? ' open' : ''}><summary><span class="mark">${markOf(outcome)}</span> ${escaped(titles.join(' › '))} ${label}<small>${escaped(`${report.file}:${place.line}`)} · ${took}</small></summary>${notes.join('')}${body}</details>`;
}

function attemptHtml(attempt: Attempt, read: ReadText): string {
	const head = attempt.retry > 0 ? `<h3>Retry #${attempt.retry}</h3>` : '';
	const errors = attempt.errors.map((error) => `<pre>${escaped(errorText(error, read))}</pre>`);
	const steps = attempt.steps.map(
		({ title, durationMs, error }) =>
			`<li>${error === null ? '✓' : '✘'} ${escaped(title)} <small>${duration(durationMs)}</small></li>`
	);
	const files = attempt.attachments.map(({ name, contentType, body }) => {
		if (body && contentType.startsWith('image/'))
			return `<figure><img alt="${escaped(name)}" src="data:${escaped(contentType)};base64,${base64(body)}"><figcaption>${escaped(name)}</figcaption></figure>`;
		return `<details><summary>${escaped(name)}</summary><pre>${escaped(body ? new TextDecoder().decode(body) : contentType)}</pre></details>`;
	});
	return head + errors.join('') + (steps.length > 0 ? `<ol>${steps.join('')}</ol>` : '') + files.join('');
}

const classOf = (outcome: string): string => outcome.replaceAll(' ', '-');
const markOf = (outcome: string): string =>
	outcome === 'unexpected' ? '✘' : outcome === 'expected' ? '✓' : outcome === 'flaky' ? '!' : '–';

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escaped, since titles and messages come from tests and from pages under test. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

function base64(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
	return btoa(text);
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 24px; max-width: 960px; color: #1f2328; background: #fff }
h1 { font-size: 22px; margin: 0 } h2 { font-size: 16px; margin: 24px 0 8px } h3 { font-size: 14px }
header ul { display: flex; flex-wrap: wrap; gap: 16px; padding: 0; list-style: none }
details { border: 1px solid #d0d7de; border-radius: 6px; margin: 6px 0; padding: 8px 12px }
summary { cursor: pointer } small { color: #59636e; margin-left: 8px } .tag { border: 1px solid #d0d7de; border-radius: 9px; padding: 0 8px; font-size: 12px }
pre { background: #f6f8fa; padding: 12px; overflow-x: auto; border-radius: 6px; font-size: 13px }
img { max-width: 100%; border: 1px solid #d0d7de }
.expected .mark, li.expected b { color: #1a7f37 } .unexpected .mark, li.unexpected b { color: #cf222e } .flaky .mark, li.flaky b { color: #9a6700 }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3 } pre { background: #161b22 } details, img, .tag { border-color: #30363d } small { color: #9198a1 } }
`;
