/**
 * The used part of Trusted Types (https://w3c.github.io/trusted-types/), which TypeScript's library lacks. What a policy
 * creates is an object that goes wherever the string would go, and is typed as one.
 */
declare var trustedTypes:
	| {
			createPolicy<Rules extends { createHTML?: (text: string) => string; createScriptURL?: (url: string) => string }>(
				name: string,
				rules: Rules
			): Rules;
	  }
	| undefined;

/** The address of a worker's bundle, by Vite. */
declare module '*?worker&url' {
	const url: string;
	export default url;
}
