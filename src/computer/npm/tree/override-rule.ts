export interface Selector {
	name: string;
	range: string;
}

/** From `overrides` in package.json: below all packages of the chain but the last, that last one is `spec`. */
export interface OverrideRule {
	chain: Selector[];
	spec: string;
}
