/** Rule for tool call ids in a wire format. */
export interface CallIdRule {
	allowed: RegExp;
	maxLength: number;
	/** Exactly `maxLength` characters. */
	exact?: boolean;
}

export const anthropicCallIds: CallIdRule = { allowed: /^[a-zA-Z0-9_-]+$/, maxLength: 64 };
export const chatCallIds: CallIdRule = { allowed: /^[a-zA-Z0-9_-]+$/, maxLength: 40 };
export const responsesCallIds: CallIdRule = { allowed: /^[a-zA-Z0-9_-]+$/, maxLength: 64 };
export const mistralCallIds: CallIdRule = { allowed: /^[a-zA-Z0-9]+$/, maxLength: 9, exact: true };

/**
 * Makes the ids of one request fit a wire format. A valid id is unchanged; any other is derived from its hash,
 * so that the same history always gives the same request. Distinct ids stay distinct.
 */
export function callIdMap(rule: CallIdRule): (id: string) => string {
	const given = new Map<string, string>();
	const taken = new Set<string>();
	return (id) => {
		const known = given.get(id);
		if (known !== undefined) return known;
		let fitting = fits(rule, id) ? id : derived(rule, id, 0);
		for (let salt = 1; taken.has(fitting); salt++) fitting = derived(rule, id, salt);
		given.set(id, fitting);
		taken.add(fitting);
		return fitting;
	};
}

function fits(rule: CallIdRule, id: string): boolean {
	return rule.allowed.test(id) && (rule.exact ? id.length === rule.maxLength : id.length <= rule.maxLength);
}

function derived(rule: CallIdRule, id: string, salt: number): string {
	// A composite `call_id|item_id` keeps its readable first half.
	const head = rule.exact
		? ''
		: id
				.split('|')[0]
				?.replace(/[^a-zA-Z0-9_-]/g, '_')
				.slice(0, rule.maxLength - 10);
	return `${head ? `${head}_` : ''}${hash(`${salt}:${id}`)}`.slice(0, rule.maxLength);
}

/** Nine characters of base 36 from a 53-bit FNV-style hash. */
function hash(text: string): string {
	let low = 0x811c9dc5;
	let high = 0xdeadbeef;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		low = Math.imul(low ^ code, 0x01000193);
		high = Math.imul(high ^ code, 0x5bd1e995);
		high ^= high >>> 13;
	}
	const value = (high >>> 0) * 2 ** 21 + ((low >>> 0) & 0x1fffff);
	return value.toString(36).padStart(9, '0').slice(-9);
}
