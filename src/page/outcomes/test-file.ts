const TEST_FILE = /(^|\/)(tests?|__tests__|specs?)\/|(^|\/)test_[^/]*$|[._-](test|spec)\.[^/]+$|_test\.[^/]+$/i;

/** Returns true for the path of a test, judged by common names of files and folders. */
export const isTestFile = (path: string): boolean => TEST_FILE.test(path);
