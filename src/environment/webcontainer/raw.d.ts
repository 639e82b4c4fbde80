/** A file's text, for programs that run inside the container. */
declare module '*.mjs?raw' {
	const text: string;
	export default text;
}
