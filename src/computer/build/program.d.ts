declare module '*?program' {
	/** URL of the bundled program, to be fetched as text. */
	const url: string;
	export default url;
}

declare module '*?runner' {
	/** Build id of the sandbox's frame: `/runner?v=<build>`. */
	const build: string;
	export default build;
}

declare module '*?part' {
	/** The bundled module as a function body that returns its exports. */
	const source: string;
	export default source;
}
