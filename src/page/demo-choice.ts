import type { ModelChoice } from './parts.ts';
import { t } from './strings/index.ts';

/** Choice of the scripted model that plays the demo. */
export const DEMO: ModelChoice = {
	model: 'demo',
	provider: 'demo',
	get label() {
		return t.header.scripted;
	},
	scripted: true
};
