/** Programs and their output, as text. */
declare module '*.txt?raw' {
	const text: string;
	export default text;
}
