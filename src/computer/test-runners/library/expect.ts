import {
	addCustomEqualityTesters,
	ASYMMETRIC_MATCHERS_OBJECT,
	customMatchers,
	GLOBAL_EXPECT,
	getState,
	JestAsymmetricMatchers,
	JestChaiExpect,
	JestExtend,
	setState,
	type ExpectStatic
} from '@vitest/expect';
import { getCurrentTest, type Test } from '@vitest/runner';
import * as chai from 'chai';
import { addSerializer } from '@vitest/snapshot';
import { fullName } from './test-name.ts';
import { snapshotMatchers, type FileSnapshots } from './snapshots.ts';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

let current: FileSnapshots | null = null;
chai.use(snapshotMatchers(() => current));

export function useSnapshots(snapshots: FileSnapshots): void {
	current = snapshots;
}

/** `expect` of the test files: chai with the matchers of jest, combined as in vitest. */
export const expect = createExpect();
Object.defineProperty(globalThis, GLOBAL_EXPECT, { value: expect, writable: true, configurable: true });

const NO_EXPECTATIONS = {
	assertionCalls: 0,
	isExpectingAssertions: false,
	isExpectingAssertionsError: null,
	expectedAssertionsNumber: null,
	expectedAssertionsNumberErrorGen: null
};

export function forgetExpectations(test: Test): void {
	setState({ ...NO_EXPECTATIONS, testPath: test.file.filepath, currentTestName: fullName(test) }, expect);
}

/** Checks `expect.assertions(2)` and `expect.hasAssertions()`. */
export function checkExpectations(test: Test): void {
	if (test.result?.state === 'fail') return;
	const { assertionCalls, expectedAssertionsNumber, expectedAssertionsNumberErrorGen, ...state } = getState(expect);
	if (
		expectedAssertionsNumber !== null &&
		expectedAssertionsNumber !== undefined &&
		assertionCalls !== expectedAssertionsNumber
	) {
		throw expectedAssertionsNumberErrorGen?.() ?? new Error('A different number of assertions was expected.');
	}
	if (state.isExpectingAssertions && assertionCalls === 0) throw state.isExpectingAssertionsError;
}

function createExpect(): ExpectStatic {
	const call = (value: unknown, message?: string): unknown => {
		const { assertionCalls } = getState(made);
		setState({ assertionCalls: assertionCalls + 1 }, made);
		const assertion = chai.expect(value, message);
		const test = getCurrentTest();
		const withTest: unknown = Reflect.get(assertion, 'withTest');
		return test && typeof withTest === 'function' ? withTest.call(assertion, test) : assertion;
	};
	const asymmetric: unknown = Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT);
	const made = Object.assign(call, chai.expect, asymmetric, {
		getState: () => getState(made),
		setState: (state: object) => setState(state, made),
		assert: chai.assert,
		extend: (matchers: object) => Reflect.get(chai.expect, 'extend').call(chai.expect, made, matchers),
		addEqualityTesters: (testers: Parameters<typeof addCustomEqualityTesters>[0]) => addCustomEqualityTesters(testers),
		addSnapshotSerializer: (plugin: Parameters<typeof addSerializer>[0]) => addSerializer(plugin),
		soft: (value: unknown, message?: string) =>
			Reflect.get(Object(call(value, message)), 'withContext').call(call(value, message), { soft: true }),
		unreachable: (message?: string) => chai.assert.fail(`expected${message ? ` "${message}" ` : ' '}not to be reached`),
		assertions: (expected: number) =>
			setState(
				{
					expectedAssertionsNumber: expected,
					expectedAssertionsNumberErrorGen: () =>
						new Error(`expected number of assertions to be ${expected}, but got ${getState(made).assertionCalls}`)
				},
				made
			),
		hasAssertions: () =>
			setState(
				{
					isExpectingAssertions: true,
					isExpectingAssertionsError: new Error('expected any number of assertion, but got none')
				},
				made
			)
		// Built step by step, as in vitest; its type describes the complete object.
	}) as unknown as ExpectStatic;
	setState({ assertionCalls: 0, isExpectingAssertions: false, isExpectingAssertionsError: null }, made);
	made.extend(customMatchers);
	return made;
}
