/** Variable with the file to which each trial adds a line of its figures. */
export const FIGURES_VARIABLE = 'SANDGLASS_TRIAL_FIGURES';
