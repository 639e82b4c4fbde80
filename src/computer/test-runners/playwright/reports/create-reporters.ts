import type { ConfigSettings } from '../config.ts';
import type { Host } from '../host.ts';
import type { Reporter } from '../run/results.ts';
import { HtmlReporter } from './html.ts';
import { JsonReporter } from './json.ts';
import { ListReporter } from './list.ts';

const TERMINAL = ['list', 'line', 'dot'] as const;

/** Creates the reporters from a configuration or a command line. @throws Error naming an unknown one */
export function createReporters(config: ConfigSettings, host: Host): Reporter[] {
	const decoder = new TextDecoder();
	const read = (path: string): string | null => {
		const bytes = host.read(path);
		return bytes ? decoder.decode(bytes) : null;
	};
	const made = config.reporters.map(([name, options]): Reporter | null => {
		const folder = String(options['outputFolder'] ?? 'playwright-report');
		const path = (file: string): string => (file.startsWith('/') ? file : `${config.rootDir}/${file}`);
		const style = TERMINAL.find((each) => each === name);
		if (style) return new ListReporter(host.print, read, style);
		if (name === 'html') return new HtmlReporter(path(`${folder}/index.html`), host.write, read, host.print);
		if (name === 'json')
			return new JsonReporter(options['outputFile'] === undefined ? null : path(String(options['outputFile'])), host);
		if (name === 'null') return null;
		if (name === 'github') return null;
		throw new Error(
			`The reporter ${name} is not there when tests run in a browser tab. Take list, line, dot, html or json.`
		);
	});
	const reporters = made.filter((each) => each !== null);
	// Reporters that only write files would leave the terminal empty.
	const speaks = config.reporters.some(([name]) => name !== 'html' && name !== 'github');
	return speaks ? reporters : [new ListReporter(host.print, read, 'list'), ...reporters];
}

/** Combines several reporters into one. */
export function together(reporters: readonly Reporter[]): Reporter {
	return {
		begin: (tests) => reporters.forEach((each) => each.begin(tests)),
		attempt: (report, attempt, number) => reporters.forEach((each) => each.attempt(report, attempt, number)),
		end: (reports, durationMs, errors) => reporters.forEach((each) => each.end(reports, durationMs, errors))
	};
}
