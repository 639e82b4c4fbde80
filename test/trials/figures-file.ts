/** Environment variable with the path of the file to which each trial appends its figures. */
export const FIGURES_VARIABLE = 'SANDGLASS_TRIAL_FIGURES';
