import type { TestCheck, TestText } from '#environment/preview-testing.ts';
import type { Text } from '../browser/selectors.ts';

/** Web-first assertion: its request to the preview, and the expected value for its message. */
export interface PageMatcher {
	check: Omit<TestCheck, 'isNot'>;
	/** Argument in the message's first line: `expected`, or nothing. */
	argument: string;
	/** Value displayed after `Expected`. */
	expected: unknown;
	/** Set if the expected state is a word, not a value: `visible`. */
	isState: boolean;
	isList?: boolean;
	isSubstring?: boolean;
	timeout?: number | undefined;
}

interface TextOptions {
	ignoreCase?: boolean;
	useInnerText?: boolean;
	timeout?: number;
}

interface Options {
	timeout?: number;
}

const textOf = (text: Text, how: Omit<TestText, 'string' | 'regexSource' | 'regexFlags'> = {}): TestText =>
	typeof text === 'string' ? { string: text, ...how } : { regexSource: text.source, regexFlags: text.flags, ...how };

function ofText(
	expression: string,
	expected: Text | Text[],
	options: TextOptions = {},
	isSubstring = false
): PageMatcher {
	const { ignoreCase, useInnerText, timeout } = options;
	const how = { ignoreCase, matchSubstring: isSubstring, normalizeWhiteSpace: true };
	const isList = Array.isArray(expected);
	const expectedText = [expected].flat().map((each) => textOf(each, how));
	const name = isList ? `${isSubstring ? expression.replace('have', 'contain') : expression}.array` : expression;
	return {
		check: { expression: name, expectedText, useInnerText },
		argument: 'expected',
		expected,
		isState: false,
		isList,
		isSubstring,
		timeout
	};
}

const ofState = (
	expression: string,
	word: string,
	{ timeout }: Options = {},
	extra: Partial<TestCheck> = {}
): PageMatcher => ({
	check: { expression, ...extra },
	argument: '',
	expected: word,
	isState: true,
	timeout
});

const ofValue = (
	expression: string,
	expected: Text,
	{ timeout }: Options = {},
	extra: Partial<TestCheck> = {}
): PageMatcher => ({
	check: { expression, expectedText: [textOf(expected)], ...extra },
	argument: 'expected',
	expected,
	isState: false,
	timeout
});

function ofClass(kind: 'have' | 'contain', expected: Text | Text[], { timeout }: Options = {}): PageMatcher {
	const isList = Array.isArray(expected);
	const expectedText = [expected].flat().map((each) => textOf(each));
	return {
		check: { expression: `to.${kind}.class${isList ? '.array' : ''}`, expectedText },
		argument: 'expected',
		expected,
		isState: false,
		isList,
		timeout
	};
}

/** Playwright's assertions of a locator. */
export const locatorMatchers = {
	toHaveText: (expected: Text | Text[], options?: TextOptions) => ofText('to.have.text', expected, options),
	toContainText: (expected: Text | Text[], options?: TextOptions) => ofText('to.have.text', expected, options, true),
	toHaveCount: (expected: number, { timeout }: Options = {}): PageMatcher => ({
		check: { expression: 'to.have.count', expectedNumber: expected },
		argument: 'expected',
		expected,
		isState: false,
		timeout
	}),
	toBeVisible: ({ visible = true, ...options }: Options & { visible?: boolean } = {}) =>
		ofState(visible ? 'to.be.visible' : 'to.be.hidden', visible ? 'visible' : 'hidden', options),
	toBeHidden: (options?: Options) => ofState('to.be.hidden', 'hidden', options),
	toBeAttached: ({ attached = true, ...options }: Options & { attached?: boolean } = {}) =>
		ofState(attached ? 'to.be.attached' : 'to.be.detached', attached ? 'attached' : 'detached', options),
	toBeEnabled: ({ enabled = true, ...options }: Options & { enabled?: boolean } = {}) =>
		ofState(enabled ? 'to.be.enabled' : 'to.be.disabled', enabled ? 'enabled' : 'disabled', options),
	toBeDisabled: (options?: Options) => ofState('to.be.disabled', 'disabled', options),
	toBeEditable: ({ editable = true, ...options }: Options & { editable?: boolean } = {}) =>
		ofState(editable ? 'to.be.editable' : 'to.be.readonly', editable ? 'editable' : 'readOnly', options),
	toBeEmpty: (options?: Options) => ofState('to.be.empty', 'empty', options),
	toBeFocused: (options?: Options) => ofState('to.be.focused', 'focused', options),
	toBeChecked: ({ checked = true, ...options }: Options & { checked?: boolean } = {}) =>
		ofState('to.be.checked', checked ? 'checked' : 'unchecked', options, {
			expectedValue: JSON.stringify({ checked })
		}),
	toHaveValue: (expected: Text, options?: Options) => ofValue('to.have.value', expected, options),
	toHaveValues: (expected: Text[], { timeout }: Options = {}): PageMatcher => ({
		check: { expression: 'to.have.values', expectedText: expected.map((each) => textOf(each)) },
		argument: 'expected',
		expected,
		isState: false,
		isList: true,
		timeout
	}),
	toHaveAttribute: (name: string, expected?: Text | Options, options?: Options) =>
		typeof expected === 'string' || expected instanceof RegExp
			? ofValue('to.have.attribute.value', expected, options, { expressionArg: name })
			: ofState('to.have.attribute', 'attribute present', expected, { expressionArg: name }),
	toHaveClass: (expected: Text | Text[], options?: Options) => ofClass('have', expected, options),
	toContainClass: (expected: string | string[], options?: Options) => ofClass('contain', expected, options),
	toHaveCSS: (name: string, expected: Text, options?: Options) =>
		ofValue('to.have.css', expected, options, { expressionArg: name }),
	toHaveId: (expected: Text, options?: Options) => ofValue('to.have.id', expected, options),
	toHaveRole: (expected: string, options?: Options) => ofValue('to.have.role', expected, options),
	toHaveAccessibleName: (expected: Text, options?: Options) => ofValue('to.have.accessible.name', expected, options),
	toHaveAccessibleDescription: (expected: Text, options?: Options) =>
		ofValue('to.have.accessible.description', expected, options),
	toHaveJSProperty: (name: string, expected: unknown, { timeout }: Options = {}): PageMatcher => ({
		check: { expression: 'to.have.property', expressionArg: name, expectedValue: JSON.stringify(expected) },
		argument: 'expected',
		expected,
		isState: false,
		timeout
	})
};

/** Playwright's assertions of a page. */
export const pageMatchers = {
	toHaveTitle: (expected: Text, { timeout }: Options = {}): PageMatcher => ({
		check: { expression: 'to.have.title', expectedText: [textOf(expected, { normalizeWhiteSpace: true })] },
		argument: 'expected',
		expected,
		isState: false,
		timeout
	})
};
