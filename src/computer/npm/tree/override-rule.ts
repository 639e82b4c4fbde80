export interface Selector {
	name: string;
	range: string;
}

/**
 * Rule from `overrides` in package.json: below all packages of the chain except the last, the last one is `spec`.
 */
export interface OverrideRule {
	chain: Selector[];
	spec: string;
}
