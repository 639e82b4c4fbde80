/** The git whose output is given, and against which it is compared. */
export const VERSION = '2.39.5';
