import type { Page } from 'playwright';
import type { PreviewMedia, PreviewSize, PreviewStep } from '#environment/preview.ts';
import { AUDIT } from './audit.ts';
import { PORT, type App } from './apps.ts';

/** Examines an app as an agent can, only with the tool's actions, and collects problems. */
export class Inspector {
	readonly complaints = new Set<string>();
	#seen = 0;

	constructor(
		private readonly page: Page,
		private readonly app: App
	) {}

	async open(): Promise<void> {
		const url = `/${this.app}.html`;
		await this.page.evaluate(
			([port, address]) =>
				window.sandglass!.preview!.open({ target: { port }, url: address }, new AbortController().signal),
			[PORT, url] as const
		);
	}

	async act(...steps: PreviewStep[]): Promise<void> {
		const { failure } = await this.page.evaluate(
			(given) => window.sandglass!.preview!.act(given, new AbortController().signal),
			steps
		);
		if (failure !== undefined) this.complaints.add(`a step failed: ${failure}`);
	}

	click = (name: string, role = 'button'): Promise<void> =>
		this.act({ kind: 'click', on: `role=${role}[name="${name}"]` });
	fill = (label: string, text: string): Promise<void> =>
		this.act({ kind: 'fill', on: `internal:label="${label}"i`, text });
	select = (label: string, value: string): Promise<void> =>
		this.act({ kind: 'select', on: `internal:label="${label}"i`, values: [value] });
	press = (key: string): Promise<void> => this.act({ kind: 'press', key });

	async value<Value>(script: string): Promise<Value> {
		const json = await this.page.evaluate(
			(text) => window.sandglass!.preview!.evaluate(text, new AbortController().signal),
			script
		);
		return JSON.parse(json) as Value;
	}

	/** Records a problem unless the page displays the text. */
	async displays(text: string, isWanted = true): Promise<void> {
		const displayed = await this.value<string>('document.body.innerText');
		if (displayed.includes(text) !== isWanted) this.complaints.add(`“${text}” is ${isWanted ? 'not ' : ''}displayed`);
	}

	/** Records a problem unless the expression is true. */
	async holds(expression: string, what: string): Promise<void> {
		if (!(await this.value<boolean>(expression))) this.complaints.add(what);
	}

	resize(size: PreviewSize | null): Promise<void> {
		return this.page.evaluate((to) => window.sandglass!.preview!.resize(to, new AbortController().signal), size);
	}

	async theme(media: PreviewMedia | null): Promise<void> {
		await this.page.evaluate((to) => window.sandglass!.preview!.emulate(to, new AbortController().signal), media);
	}

	/** Checks console, failed requests, names of controls and layout; nothing here is specific to the app. */
	async audit(): Promise<void> {
		for (const complaint of await this.value<string[]>(AUDIT)) this.complaints.add(complaint);
		const { tree } = await this.page.evaluate(() =>
			window.sandglass!.preview!.snapshot(undefined, new AbortController().signal)
		);
		for (const line of tree.split('\n'))
			if (/^\s*- (?:button|link|textbox|checkbox|combobox|img)(?: \[[^:]*)?$/.test(line))
				this.complaints.add(`a control or picture has no name: ${line.trim()}`);
		await this.readLogs();
	}

	async readLogs(): Promise<void> {
		const { entries, last } = await this.page.evaluate((since) => window.sandglass!.preview!.logs(since), this.#seen);
		this.#seen = last;
		for (const { kind, text } of entries)
			if (
				kind === 'error' ||
				(kind === 'request' && / → (?:[45]\d\d|no answer)/.test(text) && !text.includes('last-year'))
			)
				this.complaints.add(`${kind}: ${text.replace(/ \(\d+ ms\)/, '')}`);
	}

	/** Moves through the page with Tab and records controls that are never reached. */
	async walk(): Promise<void> {
		const controls = await this.value<number>(
			`document.activeElement?.blur(); return [...document.querySelectorAll('a[href], button, input, select')].filter((each) => each.checkVisibility() && !each.disabled).length`
		);
		for (let step = 0; step <= controls; step++) {
			await this.press('Tab');
			await this.value(
				'const at = document.activeElement; if (at && at !== document.body) at.dataset.reached = 1; return 0'
			);
		}
		const missed = await this.value<string[]>(
			`[...document.querySelectorAll('a[href], button, input, select')].filter((each) => each.checkVisibility() && !each.disabled && !each.dataset.reached).map((each) => each.outerHTML.slice(0, 80))`
		);
		for (const each of missed) this.complaints.add(`the keyboard does not reach ${each}`);
	}
}
