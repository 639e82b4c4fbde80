declare module 'virtual:ripgrep-module' {
	/** Address of the WebAssembly module. */
	const url: string;
	export default url;
}
