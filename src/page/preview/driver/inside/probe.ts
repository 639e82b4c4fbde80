import type { ProbeAnswer, TestCheck, TestProbe } from '#environment/preview-testing.ts';
import { callInPage } from './evaluate.ts';
import { elementsOf, playwright } from './playwright.ts';

/** Assertions that can be decided without an element. */
const OF_NOTHING: Readonly<Record<string, boolean>> = {
	'to.be.hidden': true,
	'to.be.visible': false,
	'to.be.detached': true,
	'to.be.attached': false,
	'to.be.in.viewport': false
};

/** Answers a test's question about the current page. Reports a meaningless question in the answer. */
export async function answerProbe(probe: TestProbe): Promise<ProbeAnswer> {
	const { selector } = probe;
	const elements = selector === null ? [] : elementsOf(selector);
	const found = { count: elements.length, element: elements[0] ? playwright.previewNode(elements[0]) : '' };
	try {
		return { ...found, ...(await answer(probe, elements)) };
	} catch (error) {
		return { ...found, error: error instanceof Error ? error.message : String(error) };
	}
}

async function answer(probe: TestProbe, elements: Element[]): Promise<Partial<ProbeAnswer>> {
	switch (probe.kind) {
		case 'expect':
			return check(probe.selector, probe.check, elements);
		case 'state': {
			const [element] = single(probe.selector, elements);
			if (!element) return {};
			return { isMatch: playwright.elementState(element, probe.state, true).matches };
		}
		case 'evaluate': {
			const { source, argument, selector, on } = probe;
			if (on === 'page') return valueOf(await callInPage(source, [JSON.parse(argument)]));
			if (on === 'all') return valueOf(await callInPage(source, [elements, JSON.parse(argument)]));
			const [element] = single(selector ?? '', elements);
			return element ? valueOf(await callInPage(source, [element, JSON.parse(argument)])) : {};
		}
	}
}

const valueOf = (json: string): Partial<ProbeAnswer> => (json === 'undefined' ? {} : { value: json });

async function check(selector: string | null, given: TestCheck, elements: Element[]): Promise<Partial<ProbeAnswer>> {
	const { expression, isNot, expectedValue } = given;
	const isOfAll = expression === 'to.have.count' || expression.endsWith('.array');
	if (selector !== null && !isOfAll) {
		single(selector, elements);
		const ofNothing = OF_NOTHING[expression];
		if (elements.length === 0) return { isMatch: ofNothing ?? isNot };
	}
	const options = {
		...given,
		...(expectedValue === undefined ? {} : { expectedValue: JSON.parse(expectedValue) as unknown })
	};
	const { matches, received } = await playwright.expect(
		elements[0] ?? document.documentElement,
		options,
		elements,
		true
	);
	const value = JSON.stringify(received?.value);
	return { isMatch: matches, ...(value === undefined ? {} : { value }) };
}

function single(selector: string, elements: Element[]): Element[] {
	if (elements.length > 1) throw playwright.strictModeViolationError(playwright.parseSelector(selector), elements);
	return elements;
}
