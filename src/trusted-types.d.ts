interface TrustedTypesRules {
	createHTML?: (text: string) => string;
	createScript?: (text: string) => string;
	createScriptURL?: (address: string) => string;
}

/**
 * The used part of Trusted Types (https://w3c.github.io/trusted-types/), which TypeScript's library lacks. What a policy
 * creates is an object that goes wherever the string would go, and is typed as one.
 */
// eslint-disable-next-line no-var -- only `var` declares a property of globalThis
declare var trustedTypes:
	| {
			createPolicy<Rules extends TrustedTypesRules>(name: string, rules: Rules): Rules;
	  }
	| undefined;

/** The address of a worker's bundle, by Vite. */
declare module '*?worker&url' {
	const url: string;
	export default url;
}
