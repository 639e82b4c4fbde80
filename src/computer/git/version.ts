/** Version of git whose output is reproduced, and with which it is compared. */
export const VERSION = '2.39.5';
