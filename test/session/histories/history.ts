import fc from '#test/fast-check.ts';

const path = fc.constantFrom('/workspace/a', '/workspace/b', '/workspace/dir/c', '/workspace/dir/d', '/tmp/e');
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** An event in a session, or on the machine below it. */
export type Happening =
	| { do: 'write'; path: string; text: string }
	| { do: 'remove'; path: string }
	| { do: 'rename'; path: string; to: string }
	| { do: 'say'; text: string }
	| { do: 'checkpoint' }
	/** Everything so far is acknowledged, unless the disk is full. */
	| { do: 'flush' }
	/** Time passes, and the storage flushes automatically. */
	| { do: 'wait' }
	| { do: 'clock'; ms: number }
	| { do: 'full'; room: number }
	| { do: 'freed' }
	/** The tab's process ends now. */
	| { do: 'kill' }
	/** It ends in the middle of the next write. */
	| { do: 'torn'; share: number }
	| { do: 'power cut'; shares: number[] }
	| { do: 'evict' }
	/** Another session is forked from its last checkpoint; the tab may die during that, after this many bytes. */
	| { do: 'fork'; torn: number | null }
	/** Another tab opens the session and takes it over. */
	| { do: 'take over' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), path, text: fc.string({ maxLength: 30 }) }) },
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), text: fc.string({ maxLength: 30 }) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), path }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: path }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('checkpoint' as const) }) },
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('clock' as const), ms: fc.integer({ min: -1e10, max: 1e10 }) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('full' as const), room: fc.integer({ min: 0, max: 300 }) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('freed' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('torn' as const), share }) },
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('power cut' as const),
			shares: fc.array(share, { minLength: 3, maxLength: 3 })
		})
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), torn: fc.option(share) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('take over' as const) }) }
);

/** Events in one session, starting with its creation; the browser deletes its files at most once, at the end. */
export const history: fc.Arbitrary<Happening[]> = fc
	.tuple(fc.array(happening, { minLength: 2, maxLength: 25 }), fc.boolean())
	.map(([happenings, evicted]) => (evicted ? [...happenings, { do: 'evict' }] : happenings));
