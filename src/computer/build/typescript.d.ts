declare module 'virtual:typescript-compiler' {
	/** URL of the compiler's script. */
	const url: string;
	export default url;
}

declare module 'virtual:typescript-libraries' {
	/** URL of the compiler's libraries: JSON, file name → text. */
	const url: string;
	export default url;
}
