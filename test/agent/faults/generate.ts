import fc from '#test/fast-check.ts';
import type { ScenarioFault, ScenarioTurn } from '#llm/scenario/types.ts';

/** Faults of a provider in one response. `after` is a healthy response to the retry of the same request. */
export interface FaultScript {
	name: string;
	turns: ScenarioTurn[];
}

const healthy: ScenarioTurn = { text: 'Healthy again.' };
const call = (more: Partial<NonNullable<ScenarioTurn['toolCalls']>[number]> = {}): ScenarioTurn => ({
	text: 'Looking.',
	toolCalls: [{ name: 'echo', arguments: { text: 'out' }, ...more }]
});
const faulty = (fault: ScenarioFault): ScenarioTurn => ({ reasoning: 'Hm, hm.', ...call(), fault });
const script = (name: string, ...turns: ScenarioTurn[]): FaultScript => ({ name, turns });
/** As many times as the client and the loop try, plus one. */
const often = (turn: ScenarioTurn): ScenarioTurn[] => [turn, turn, turn, turn];

const status = fc
	.record({
		status: fc.constantFrom(400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529),
		retryAfterSeconds: fc.constantFrom(undefined, 0, 3_600),
		body: fc.constantFrom(undefined, '', '{', 'null', '[]', '<html>Bad gateway</html>', '{"error":"no"}', '\ud800')
	})
	.map(({ status: code, retryAfterSeconds, body }): ScenarioFault => ({
		kind: 'status',
		status: code,
		...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
		...(body === undefined ? {} : { body })
	}));

const broken = fc.oneof(
	status,
	fc.nat(2_500).map((afterBytes): ScenarioFault => ({ kind: 'cut', afterBytes })),
	fc.nat(1_200).map((afterBytes): ScenarioFault => ({ kind: 'stall', afterBytes })),
	fc
		.constantFrom(
			'',
			'\n\n',
			'data: {\n\n',
			'data: null\n\n',
			'event: x\ndata: {"type":7}\n\n',
			'{"a":',
			'data: [DONE]\n\n'
		)
		.map((body): ScenarioFault => ({ kind: 'garbage', body }))
);

const strange = fc.constantFrom<ScenarioTurn>(
	call({ rawArguments: '' }),
	call({ rawArguments: '{"text": ' }),
	call({ rawArguments: 'null' }),
	call({ rawArguments: '[1,2]' }),
	call({ rawArguments: '"out"' }),
	call({ arguments: { text: 7 } }),
	call({ name: 'no_such_tool' }),
	call({ name: '' }),
	call({ id: '' }),
	{ toolCalls: [1, 2, 3].map(() => ({ id: 'same', name: 'echo', arguments: { text: 'out' } })) },
	{ ...call(), finishReason: 'brand_new_reason' },
	{ text: 'Cut off', finishReason: 'brand_new_reason' },
	{ text: '' },
	{ text: '', reasoning: 'Only thoughts.' },
	{ text: 'x'.repeat(200_000) }
);

/** One script; each ends in a healthy response if the run gets that far. */
export const faultScript: fc.Arbitrary<FaultScript> = fc.oneof(
	broken.map((fault) => script(`once ${JSON.stringify(fault)}`, faulty(fault), healthy)),
	broken.map((fault) => script(`always ${JSON.stringify(fault)}`, ...often(faulty(fault)))),
	fc
		.tuple(broken, broken)
		.map(([one, two]) =>
			script(
				`${JSON.stringify(one)} after a call, then ${JSON.stringify(two)}`,
				call(),
				faulty(one),
				faulty(two),
				healthy
			)
		),
	fc
		.array(strange, { minLength: 1, maxLength: 4 })
		.map((turns) => script(JSON.stringify(turns).slice(0, 300), ...turns, healthy)),
	fc.constant(script('the same call for ever', ...Array.from({ length: 30 }, () => call())))
);
