import type { ProbeAnswer, TestStep } from '#environment/preview-testing.ts';
import { apiCall } from './api-call.ts';
import { filesFor, type FilesGiven } from './files.ts';
import { naming, notThere } from './not-there.ts';
import type { PageHandle } from './page-handle.ts';
import * as select from './selectors.ts';
import type { Exact, RoleOptions, Text } from './selectors.ts';

export interface Timeout {
	timeout?: number;
}

interface FilterOptions {
	hasText?: Text;
	hasNotText?: Text;
	has?: Locator;
	hasNot?: Locator;
	visible?: boolean;
}

type State = 'visible' | 'hidden' | 'enabled' | 'disabled' | 'editable' | 'checked';

interface ClickOptions extends Timeout {
	button?: 'left' | 'right' | 'middle';
	clickCount?: number;
	force?: boolean;
	position?: unknown;
	modifiers?: unknown;
	trial?: boolean;
}

/** Finds elements: a page, or a locator within itself. */
export abstract class Finder {
	abstract find(selector: string, description: string): Locator;
	protected abstract testIdAttribute(): string;

	locator(selector: string | Locator, options: FilterOptions = {}): Locator {
		const inner = typeof selector === 'string' ? selector : `internal:chain=${JSON.stringify(selector.selector)}`;
		const words =
			typeof selector === 'string' ? select.callText('locator', selector) : `locator(${selector.description})`;
		const found = this.find(inner, words);
		return Object.keys(options).length === 0 ? found : found.filter(options);
	}
	getByRole(role: string, options: RoleOptions = {}): Locator {
		return this.find(select.byRole(role, options), select.callText('getByRole', role, options));
	}
	getByText(text: Text, options: Exact = {}): Locator {
		return this.find(select.byText(text, options), select.callText('getByText', text, options));
	}
	getByLabel(text: Text, options: Exact = {}): Locator {
		return this.find(select.byLabel(text, options), select.callText('getByLabel', text, options));
	}
	getByPlaceholder(text: Text, options: Exact = {}): Locator {
		return this.find(
			select.byAttribute('placeholder', text, options),
			select.callText('getByPlaceholder', text, options)
		);
	}
	getByAltText(text: Text, options: Exact = {}): Locator {
		return this.find(select.byAttribute('alt', text, options), select.callText('getByAltText', text, options));
	}
	getByTitle(text: Text, options: Exact = {}): Locator {
		return this.find(select.byAttribute('title', text, options), select.callText('getByTitle', text, options));
	}
	getByTestId(id: Text): Locator {
		return this.find(select.byTestId(this.testIdAttribute(), id), select.callText('getByTestId', id));
	}
	frameLocator(): never {
		throw notThere('frameLocator()');
	}
}

/** Playwright's `Locator` over the displayed page. */
export class Locator extends Finder {
	constructor(
		private readonly owner: PageHandle,
		readonly selector: string,
		readonly description: string
	) {
		super();
	}

	page(): PageHandle {
		return this.owner;
	}
	find(selector: string, description: string): Locator {
		return naming(
			new Locator(this.owner, `${this.selector} >> ${selector}`, `${this.description}.${description}`),
			'locator'
		);
	}
	protected testIdAttribute(): string {
		return this.owner.testIdName;
	}
	override toString(): string {
		return this.description;
	}
	describe(words: string): Locator {
		return new Locator(this.owner, this.selector, words);
	}

	first(): Locator {
		return this.find('nth=0', 'first()');
	}
	last(): Locator {
		return this.find('nth=-1', 'last()');
	}
	nth(index: number): Locator {
		return this.find(`nth=${index}`, `nth(${index})`);
	}
	filter({ hasText, hasNotText, has, hasNot, visible }: FilterOptions = {}): Locator {
		const parts: [string, string][] = [];
		if (hasText !== undefined) parts.push([select.hasText(hasText), select.callText('filter', { hasText })]);
		if (hasNotText !== undefined)
			parts.push([select.hasNotText(hasNotText), select.callText('filter', { hasNotText })]);
		if (has) parts.push([select.nested('has', has.selector), `filter({ has: ${has.description} })`]);
		if (hasNot) parts.push([select.nested('has-not', hasNot.selector), `filter({ hasNot: ${hasNot.description} })`]);
		if (visible !== undefined) parts.push([`visible=${visible}`, select.callText('filter', { visible })]);
		return parts.reduce<Locator>((found, [selector, words]) => found.find(selector, words), this);
	}
	and(other: Locator): Locator {
		return this.find(select.nested('and', other.selector), `and(${other.description})`);
	}
	or(other: Locator): Locator {
		return this.find(select.nested('or', other.selector), `or(${other.description})`);
	}
	async all(): Promise<Locator[]> {
		return Array.from({ length: await this.count() }, (_, index) => this.nth(index));
	}

	click(options: ClickOptions = {}): Promise<void> {
		for (const name of ['position', 'modifiers', 'trial'] as const)
			if (options[name] !== undefined) throw notThere(`The option ${name} of locator.click()`);
		const { button, clickCount: count } = options;
		return this.#act('click', { kind: 'click', on: this.selector, button, count }, options);
	}
	dblclick(options: Timeout = {}): Promise<void> {
		return this.#act('dblclick', { kind: 'click', on: this.selector, count: 2 }, options);
	}
	tap(options: Timeout = {}): Promise<void> {
		return this.#act('tap', { kind: 'click', on: this.selector }, options);
	}
	fill(text: string, options: Timeout = {}): Promise<void> {
		return this.#act('fill', { kind: 'fill', on: this.selector, text }, options);
	}
	clear(options: Timeout = {}): Promise<void> {
		return this.#act('clear', { kind: 'fill', on: this.selector, text: '' }, options);
	}
	press(key: string, options: Timeout = {}): Promise<void> {
		return this.#act('press', { kind: 'press', on: this.selector, key }, options);
	}
	pressSequentially(text: string, options: Timeout = {}): Promise<void> {
		return this.#act('pressSequentially', { kind: 'type', on: this.selector, text }, options);
	}
	type(text: string, options: Timeout = {}): Promise<void> {
		return this.#act('type', { kind: 'type', on: this.selector, text }, options);
	}
	check(options: Timeout = {}): Promise<void> {
		return this.#act('check', { kind: 'check', on: this.selector }, options);
	}
	uncheck(options: Timeout = {}): Promise<void> {
		return this.#act('uncheck', { kind: 'uncheck', on: this.selector }, options);
	}
	setChecked(checked: boolean, options: Timeout = {}): Promise<void> {
		return checked ? this.check(options) : this.uncheck(options);
	}
	hover(options: Timeout = {}): Promise<void> {
		return this.#act('hover', { kind: 'hover', on: this.selector }, options);
	}
	focus(options: Timeout = {}): Promise<void> {
		return this.#act('focus', { kind: 'focus', on: this.selector }, options);
	}
	blur(options: Timeout = {}): Promise<void> {
		return this.#read('blur', 'first', '(element) => { element.blur(); }', null, options);
	}
	async selectOption(
		values: string | string[] | { label?: string; value?: string; index?: number } | null,
		options: Timeout = {}
	): Promise<string[]> {
		const wanted = [values ?? []].flat().map((each) => {
			if (typeof each === 'string') return each;
			const named = each.label ?? each.value;
			if (named === undefined) throw notThere('An index in locator.selectOption()');
			return named;
		});
		await this.#act('selectOption', { kind: 'select', on: this.selector, values: wanted }, options);
		return this.#read(
			'selectOption',
			'first',
			'(element) => Array.from(element.selectedOptions, ({ value }) => value)'
		);
	}
	async setInputFiles(files: FilesGiven, options: Timeout = {}): Promise<void> {
		const read = (path: string): Uint8Array<ArrayBuffer> | null => this.owner.readFile(path);
		await this.#act('setInputFiles', { kind: 'upload', on: this.selector, files: filesFor(files, read) }, options);
	}
	dragTo(target: Locator, options: Timeout = {}): Promise<void> {
		return this.#act('dragTo', { kind: 'drag', on: this.selector, to: target.selector }, options);
	}
	scrollIntoViewIfNeeded(options: Timeout = {}): Promise<void> {
		return this.#read(
			'scrollIntoViewIfNeeded',
			'first',
			'(element) => { element.scrollIntoView({ block: "nearest" }); }',
			null,
			options
		);
	}
	async dispatchEvent(type: string, init: object = {}, options: Timeout = {}): Promise<void> {
		const source =
			'(element, [type, init]) => { element.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true, composed: true, ...init }), {})); }';
		await this.#read('dispatchEvent', 'first', source, [type, init], options);
	}

	async count(): Promise<number> {
		return (
			await this.owner.probe({
				kind: 'evaluate',
				source: '() => null',
				argument: 'null',
				selector: this.selector,
				on: 'all'
			})
		).count;
	}
	textContent(options: Timeout = {}): Promise<string | null> {
		return this.#read('textContent', 'first', '(element) => element.textContent', null, options);
	}
	innerText(options: Timeout = {}): Promise<string> {
		return this.#read('innerText', 'first', '(element) => element.innerText', null, options);
	}
	innerHTML(options: Timeout = {}): Promise<string> {
		return this.#read('innerHTML', 'first', '(element) => element.innerHTML', null, options);
	}
	inputValue(options: Timeout = {}): Promise<string> {
		return this.#read('inputValue', 'first', '(element) => element.value', null, options);
	}
	getAttribute(name: string, options: Timeout = {}): Promise<string | null> {
		return this.#read('getAttribute', 'first', '(element, name) => element.getAttribute(name)', name, options);
	}
	allTextContents(): Promise<string[]> {
		return this.#read('allTextContents', 'all', '(elements) => elements.map((element) => element.textContent ?? "")');
	}
	allInnerTexts(): Promise<string[]> {
		return this.#read('allInnerTexts', 'all', '(elements) => elements.map((element) => element.innerText)');
	}
	boundingBox(options: Timeout = {}): Promise<{ x: number; y: number; width: number; height: number } | null> {
		const source = `(element) => { const { x, y, width, height } = element.getBoundingClientRect(); return element.getClientRects().length === 0 ? null : { x, y, width, height }; }`;
		return this.#read('boundingBox', 'first', source, null, options);
	}
	evaluate<Value>(
		call: string | ((...given: never[]) => Value),
		argument: unknown = null,
		options: Timeout = {}
	): Promise<Value> {
		return this.#read('evaluate', 'first', String(call), argument, options);
	}
	evaluateAll<Value>(call: string | ((...given: never[]) => Value), argument: unknown = null): Promise<Value> {
		return this.#read('evaluateAll', 'all', String(call), argument);
	}

	async isVisible(): Promise<boolean> {
		return (await this.#state('visible')).isMatch ?? false;
	}
	async isHidden(): Promise<boolean> {
		return !(await this.isVisible());
	}
	isEnabled(options: Timeout = {}): Promise<boolean> {
		return this.#is('isEnabled', 'enabled', options);
	}
	isDisabled(options: Timeout = {}): Promise<boolean> {
		return this.#is('isDisabled', 'disabled', options);
	}
	isEditable(options: Timeout = {}): Promise<boolean> {
		return this.#is('isEditable', 'editable', options);
	}
	isChecked(options: Timeout = {}): Promise<boolean> {
		return this.#is('isChecked', 'checked', options);
	}

	waitFor({
		state = 'visible',
		timeout
	}: Timeout & { state?: 'attached' | 'detached' | 'visible' | 'hidden' } = {}): Promise<void> {
		return this.owner
			.within('locator.waitFor', this.description, timeout, async () => {
				const found = await this.#state(state === 'hidden' ? 'visible' : 'visible');
				const holds = {
					attached: found.count > 0,
					detached: found.count === 0,
					visible: found.isMatch === true,
					hidden: found.isMatch !== true
				};
				return holds[state] ? true : null;
			})
			.then(() => undefined);
	}
	screenshot(options: { path?: string } & Timeout = {}): Promise<Uint8Array> {
		return this.owner.picture(this.selector, options);
	}

	#state(state: State): Promise<ProbeAnswer> {
		return this.owner.probe({ kind: 'state', selector: this.selector, state });
	}

	#is(name: string, state: State, { timeout }: Timeout): Promise<boolean> {
		return this.owner.within(`locator.${name}`, this.description, timeout, async () => {
			const found = await this.#state(state);
			return found.count === 0 ? null : (found.isMatch ?? false);
		});
	}

	/** Evaluates a function for the page, or for one element once it exists. */
	#read<Value>(
		name: string,
		on: 'first' | 'all',
		source: string,
		argument: unknown = null,
		{ timeout }: Timeout = {}
	): Promise<Value> {
		const probe = {
			kind: 'evaluate',
			source,
			argument: JSON.stringify(argument ?? null),
			selector: this.selector,
			on
		} as const;
		return this.owner
			.within(`locator.${name}`, this.description, timeout, async () => {
				const { count, value } = await this.owner.probe(probe);
				return on === 'first' && count === 0
					? null
					: { value: value === undefined ? undefined : (JSON.parse(value) as unknown) };
			})
			.then(({ value }) => value as Value);
	}

	#act(name: string, step: TestStep, { timeout }: Timeout): Promise<void> {
		return apiCall(() => this.owner.step(`locator.${name}`, this.description, step, timeout));
	}
}
