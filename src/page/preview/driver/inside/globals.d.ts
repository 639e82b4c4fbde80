/** Variables of the document's first script (`boot.ts`) and `code.ts` that are in scope for the driver. */
interface DriverHost {
	send(message: unknown): void;
	/** Answers for the next dialogs. */
	answers: { accept: boolean; text?: string | undefined }[];
	/** While true, errors are not reported: a text may be invalid code. */
	compiling: { is: boolean };
	onMessage(take: (message: unknown) => void): void;
	/** Draws an element, or the visible part or all of the page; defined once that part of the driver is loaded. */
	draw?(
		element: Element | null,
		isFull: boolean
	): Promise<{ png: string; width: number; height: number; notes: string[] }>;
}

interface HitPoint {
	x: number;
	y: number;
}

type ElementStateName = 'visible' | 'hidden' | 'enabled' | 'editable' | 'checked' | 'stable' | 'non-inert';

/** Members of Playwright's `InjectedScript` that are used. */
interface PlaywrightScript {
	utils: { builtins: { requestAnimationFrame(callback: () => void): number } };
	parseSelector(selector: string): unknown;
	querySelectorAll(selector: unknown, root: Node): Element[];
	strictModeViolationError(selector: unknown, matches: Element[]): Error;
	ariaSnapshot(node: Element, options: { mode: 'ai' }): string;
	checkElementStates(
		node: Element,
		states: ElementStateName[],
		frameVisible: boolean
	): Promise<'error:notconnected' | { missingState: string } | undefined>;
	elementState(node: Element, state: ElementStateName | 'disabled', frameVisible: boolean): { matches: boolean };
	expectHitTarget(point: HitPoint, target: Element): 'done' | { hitTargetDescription: string };
	previewNode(node: Node): string;
	retarget(node: Element, behavior: 'follow-label' | 'button-link' | 'none'): Element | null;
	fill(node: Element, value: string): string;
	selectOptions(node: Element, options: { valueOrLabel: string }[]): string | string[];
	focusNode(node: Element): string;
	_activelyFocused(node: Node): { activeElement: Element | null; isFocused: boolean };
	expect(
		element: Element,
		options: object,
		elements: Element[],
		frameVisible: boolean
	): Promise<{ matches: boolean; received?: { value?: unknown } }>;
}

interface PlaywrightOptions {
	isUnderTest: boolean;
	sdkLanguage: string;
	frameSeq: number;
	testIdAttributeName: string;
	stableRafCount: number;
	browserName: string;
	shouldPrependErrorPrefix: boolean;
	isUtilityWorld: boolean;
	customEngines: never[];
}

declare const SANDGLASS_HOST: DriverHost;
declare const SANDGLASS_PLAYWRIGHT: new (window: Window, options: PlaywrightOptions) => PlaywrightScript;
