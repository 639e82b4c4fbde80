import { agents } from './agents.ts';
import { annotating } from './annotating.ts';
import { applying } from './applying.ts';
import { basics } from './basics.ts';
import { bisecting } from './bisecting.ts';
import { choosing } from './choosing.ts';
import { committing } from './committing.ts';
import { comparing } from './comparing.ts';
import { listing } from './listing.ts';
import { diffing } from './diffing.ts';
import { fetching } from './fetching.ts';
import { looking } from './looking.ts';
import { mailing } from './mailing.ts';
import { merging, reusing } from './merging.ts';
import { moving } from './moving.ts';
import { naming } from './naming.ts';
import { nesting, simplifying } from './nesting.ts';
import { odd } from './odd.ts';
import { packing } from './packing.ts';
import { plumbing } from './plumbing.ts';
import { promising } from './promising.ts';
import { pushing } from './pushing.ts';
import { remembering } from './remembering.ts';
import { replaying } from './replaying.ts';
import { resuming } from './resuming.ts';
import { switching } from './switching.ts';
import { thinning } from './thinning.ts';
import { tidying } from './tidying.ts';

/** Every script of the comparison, by theme. */
export const scripts: Record<string, string[]> = {
	...agents,
	...annotating,
	...applying,
	...basics,
	...bisecting,
	...choosing,
	...committing,
	...comparing,
	...diffing,
	...fetching,
	...mailing,
	...merging,
	...reusing,
	...moving,
	...naming,
	...nesting,
	...odd,
	...packing,
	...plumbing,
	...promising,
	...pushing,
	...remembering,
	...replaying,
	...resuming,
	...switching,
	...simplifying,
	...thinning,
	...tidying,
	...listing,
	...looking
};
