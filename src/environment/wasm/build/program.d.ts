declare module '*?program' {
	/** Address of the bundled program, to be fetched as text. */
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

declare module 'virtual:just-bash-parser' {
	type Script = ReturnType<import('just-bash/browser').Bash['transform']>['ast'];
	/** @throws Error with the place in its message */
	export function parse(source: string): Script;
}
