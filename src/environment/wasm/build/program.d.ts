declare module '*?program' {
	/** Address of the bundled program, to be fetched as text. */
	const url: string;
	export default url;
}
