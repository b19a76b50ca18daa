/** The variable that lists the private addresses to which docsctl may send requests. */
export const allowPrivate = 'DOCSCTL_ALLOW_PRIVATE';

/** How to allow requests to a private address. */
export const howToAllowPrivate = `To allow an address in your own network, set ${allowPrivate} to a list of addresses, networks and hosts, such as ${allowPrivate}=127.0.0.1:3000. Set it in the environment of the server, or of the command if it uses a store.`;
