/** Returns true if a name, or a number behind `+` or alone, is that of the one user here. */
export const isUser = (text: string): boolean => text === 'user' || /^\+?0*1000$/.test(text);
