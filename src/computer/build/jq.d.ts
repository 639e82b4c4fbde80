declare module 'virtual:jq-module' {
	/** URL of the WebAssembly module. */
	const url: string;
	export default url;
}

declare module 'virtual:jq-loader' {
	/** Loads the module and returns a function that runs its `main`. */
	const start: (settings: import('#computer/jq/emscripten.ts').Settings) => Promise<{
		/** Returns the exit status. */
		callMain(args: string[]): number;
	}>;
	export default start;
}
