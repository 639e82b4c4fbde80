import { describe, expect } from 'vitest';
import { READ_ONLY_RIGHTS } from '#environment/contract.ts';
import fc from '#test/fast-check.ts';
import { expectUnchanged, prepareFixture, tried, type RightsContext } from './fixture.ts';

/** Names from the fixture and others, some of them directories. */
const path = fc.constantFrom(
	'a.txt',
	'b.txt',
	'new',
	'deep',
	'deep/er',
	'deep/er/x.txt',
	'open',
	'new/in',
	'./a.txt',
	'closed/*'
);
const word = fc.constantFrom('one', 'two', '"$(cat a.txt)"', '$((1 + 2))', "'a b'", '"$HOME"');

/** Simple commands; many fail, which is intended. */
const simple = fc.oneof(
	fc.tuple(word, path).map(([text, to]) => `echo ${text} > ${to}`),
	fc.tuple(word, path).map(([text, to]) => `echo ${text} >> ${to}`),
	path.map((at) => `rm ${at}`),
	path.map((at) => `rm -rf ${at}`),
	fc.tuple(path, path).map(([from, to]) => `mv ${from} ${to}`),
	fc.tuple(path, path).map(([from, to]) => `cp -r ${from} ${to}`),
	path.map((at) => `mkdir -p ${at}`),
	path.map((at) => `rmdir ${at}`),
	path.map((at) => `cat ${at}`),
	path.map((at) => `: > ${at}`),
	path.map((at) => `sed -i s/o/0/ ${at}`),
	// Read to the end before writing: a pipeline into its own input is a race.
	fc.tuple(path, path).map(([from, to]) => `x="$(sort ${from})"; printf '%s' "$x" | tee ${to}`)
);

/** Shell programs that combine them in all ways of the grammar. */
const program = fc.letrec<{ list: string; part: string }>((tie) => ({
	list: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('; ')),
	part: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		simple,
		fc.tuple(simple, simple).map(([a, b]) => `${a} && ${b}`),
		fc.tuple(simple, simple).map(([a, b]) => `${a} || ${b}`),
		tie('list').map((list) => `(${list})`),
		tie('list').map((list) => `{ ${list}; }`),
		tie('list').map((list) => `for i in 1 2; do ${list}; done`),
		tie('list').map((list) => `if [ -e a.txt ]; then ${list}; fi`),
		tie('list').map((list) => `(cd deep && ${list})`)
	)
})).list;

export function describeRandomTrials({ environment, itWith }: RightsContext, runs: number): void {
	describe('random programs', () => {
		itWith('trial', 'leave everything as it was on trial, and applied what the real run leaves', async () => {
			await fc.assert(
				fc.asyncProperty(program, async (command) => {
					await prepareFixture(environment());
					const trial = await expectUnchanged(environment(), () => tried(environment(), command, READ_ONLY_RIGHTS));
					expect((await trial.apply()).conflicts).toEqual([]);
					const applied = await environment().snapshot();
					await prepareFixture(environment());
					await environment().exec(command);
					expect([...applied.entries]).toEqual([...(await environment().snapshot()).entries]);
				}),
				{ numRuns: runs }
			);
		});
	});
}
