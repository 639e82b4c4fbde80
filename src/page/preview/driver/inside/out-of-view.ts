/** Margin in pixels for shadows and outlines of elements just out of view. */
const MARGIN = 300;
/** Display values with which an element keeps its size in the copy without its content. */
const SIZED = /^(?:block|flow-root|flex|grid|table|table-cell|list-item)$/;

/**
 * Finds content that a picture of the visible part of the page need not copy: that of elements which are, with all
 * their content, above or below it. The elements themselves are copied, so that nothing moves.
 *
 * @returns function that returns false for nodes to omit
 */
export function contentOutOfView(): (node: Node) => boolean {
	const empty = new Set<Node>();
	/** Top and bottom of an element including its content; `null`: none of it has a layout. */
	const extentOf = (element: Element): [top: number, bottom: number] | null => {
		const { top, bottom, width, height } = element.getBoundingClientRect();
		let extent: [number, number] | null = width > 0 || height > 0 ? [top, bottom] : null;
		// Content of a shadow tree is not inspected: its host counts as visible.
		if (element.shadowRoot) return [-Infinity, Infinity];
		for (const child of element.children) {
			const inner = extentOf(child);
			if (!inner) continue;
			extent = extent ? [Math.min(extent[0], inner[0]), Math.max(extent[1], inner[1])] : inner;
		}
		if (!extent) return null;
		const isOut = extent[1] < -MARGIN || extent[0] > innerHeight + MARGIN;
		if (isOut && SIZED.test(getComputedStyle(element).display)) empty.add(element);
		return extent;
	};
	if (document.body) extentOf(document.body);
	return (node) => !node.parentNode || !empty.has(node.parentNode);
}
