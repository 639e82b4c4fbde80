export const load = ({ params }) => ({ name: params.name });
