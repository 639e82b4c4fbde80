import type { Task } from '../task.ts';
import { bytes } from './bytes.ts';
import { gyp } from './gyp.ts';
import { immer } from './immer.ts';
import { ini } from './ini.ts';
import { minimist } from './minimist.ts';
import { ms } from './ms.ts';
import { objectInspect } from './object-inspect.ts';
import { packaging } from './packaging.ts';
import { pLimit } from './p-limit.ts';
import { qs } from './qs.ts';
import { slugify } from './slugify.ts';

/** Nine npm packages, and two Python packages that node-gyp publishes. */
export const tasks: readonly Task[] = [
	...[ms, minimist, qs, objectInspect, bytes, pLimit, ini, slugify, immer],
	...[gyp, packaging]
];
