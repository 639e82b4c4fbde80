import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { anthropicCallIds, callIdMap, chatCallIds, mistralCallIds, responsesCallIds } from '#llm/history/call-ids.ts';

const rules = { anthropicCallIds, chatCallIds, mistralCallIds, responsesCallIds };

describe.each(Object.entries(rules))('%s [U-25]', (_, rule) => {
	it('makes any ids fit, each its own, the same each time', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.string({ maxLength: 90 })), (ids) => {
				const map = callIdMap(rule);
				const mapped = ids.map(map);
				for (const id of mapped) {
					expect(id).toMatch(rule.allowed);
					expect(rule.exact ? id.length === rule.maxLength : id.length <= rule.maxLength).toBe(true);
				}
				expect(new Set(mapped).size).toBe(ids.length);
				expect(ids.map(map)).toEqual(mapped);
				expect(ids.map(callIdMap(rule))).toEqual(mapped);
			})
		);
	});
	it('leaves fitting ids alone and tells long ones with one beginning apart', () => {
		const map = callIdMap(rule);
		const fitting = 'a'.repeat(9);
		expect(map(fitting)).toBe(fitting);
		expect(map('x'.repeat(100))).not.toBe(map('x'.repeat(101)));
	});
	it('reads the call’s half of a composite id', () => {
		if (!rule.exact) expect(callIdMap(rule)('call_1|fc_2')).toMatch(/^call_1_/);
		if (!rule.exact) expect(callIdMap(rule)('call.1')).toMatch(/^call_1_[0-9a-z]{9}$/);
	});
});

it.each([
	['Anthropic', anthropicCallIds, /^[a-zA-Z0-9_-]{1,64}$/, [`${'aZ09_-'.repeat(10)}abcd`, '-', '_']],
	['Chat Completions', chatCallIds, /^[a-zA-Z0-9_-]{1,40}$/, [`${'aZ09_-'.repeat(6)}abcd`, '-', '_']],
	['Responses', responsesCallIds, /^[a-zA-Z0-9_-]{1,64}$/, [`${'aZ09_-'.repeat(10)}abcd`, '-', '_']],
	['Mistral', mistralCallIds, /^[a-zA-Z0-9]{9}$/, ['aZ09aZ09a']]
])('fits what %s takes, up to the last character [U-25]', (_, rule, taken, fitting) => {
	const map = callIdMap(rule);
	for (const id of fitting) expect(map(id)).toBe(id);
	for (const id of ['', 'é', 'a|b', 'a b', '_bcdefghi', '-bcdefghi', 'a'.repeat(41), 'b'.repeat(65), 'call.1'])
		expect(map(id), id).toMatch(taken);
});

it.each([
	[mistralCallIds, ['abcdefgh-', '-bcdefghi', 'abcdefgh', 'abcdefghij']],
	[anthropicCallIds, ['a b', '.a', 'a.', 'x'.repeat(65)]],
	[chatCallIds, ['a b', '.a', 'a.', 'x'.repeat(41)]],
	[responsesCallIds, ['a b', '.a', 'a.', 'x'.repeat(65)]]
])('replaces ids that a wire format refuses, and only those: %j', (rule, ids) => {
	const map = callIdMap(rule);
	for (const id of ids) expect(map(id), id).not.toBe(id);
	const longest = 'Az09'.repeat(20).slice(0, rule.maxLength);
	expect(map(longest)).toBe(longest);
});

it.each(Object.entries(rules))('makes another id where one is taken: %s', (_, rule) => {
	const odd = 'a b';
	const made = callIdMap(rule)(odd);
	const map = callIdMap(rule);
	expect(map(made)).toBe(made);
	const other = map(odd);
	expect(other).not.toBe(made);
	expect(other).toMatch(rule.allowed);
});

it('makes ids of nine characters, also where the number behind them is small', () => {
	const map = callIdMap(mistralCallIds);
	const lengths = Array.from({ length: 20_000 }, (_, index) => map(`call ${index}`).length);
	expect(new Set(lengths)).toEqual(new Set([9]));
});
