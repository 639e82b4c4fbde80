/** Text of a program, or what it prints. */
declare module '*.txt?raw' {
	const text: string;
	export default text;
}
