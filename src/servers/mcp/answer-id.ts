/** Returns the id of a request from its answer. Some servers send the id back as a text, which the SDK takes, too. */
export const askedId = (id: unknown): unknown => (typeof id === 'string' ? Number(id) : id);
