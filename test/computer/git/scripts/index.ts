import { agents } from './agents.ts';
import { applying } from './applying.ts';
import { basics } from './basics.ts';
import { bisecting } from './bisecting.ts';
import { committing } from './committing.ts';
import { comparing } from './comparing.ts';
import { listing } from './listing.ts';
import { diffing } from './diffing.ts';
import { looking } from './looking.ts';
import { mailing } from './mailing.ts';
import { moving } from './moving.ts';
import { nesting, simplifying } from './nesting.ts';
import { odd } from './odd.ts';
import { plumbing } from './plumbing.ts';
import { replaying } from './replaying.ts';
import { resuming } from './resuming.ts';
import { switching } from './switching.ts';
import { tidying } from './tidying.ts';

/** Every script of the comparison, by theme. */
export const scripts: Record<string, string[]> = {
	...agents,
	...applying,
	...basics,
	...bisecting,
	...committing,
	...comparing,
	...diffing,
	...mailing,
	...moving,
	...nesting,
	...odd,
	...plumbing,
	...replaying,
	...resuming,
	...switching,
	...simplifying,
	...tidying,
	...listing,
	...looking
};
