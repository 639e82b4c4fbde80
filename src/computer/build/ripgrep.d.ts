declare module 'virtual:ripgrep-module' {
	/** URL of the WebAssembly module. */
	const url: string;
	export default url;
}
