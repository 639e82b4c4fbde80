declare module '@sqlite.org/sqlite-wasm/sqlite3.wasm?url' {
	/** URL of SQLite's WebAssembly module. */
	const url: string;
	export default url;
}
