import type { ModelChoice } from './parts.ts';
import { t } from './strings/index.ts';

/** The project it works on. */
export const DEMO_PROJECT = 'slugify';

/** The scripted mind of the demo. */
export const DEMO: ModelChoice = {
	model: 'demo',
	provider: 'demo',
	get label() {
		return t.header.scripted;
	},
	scripted: true
};
