/** Python's files by their path below `site-packages`. */
export const pytestFiles: Record<string, string> = {};
