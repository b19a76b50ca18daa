// The health check of the image. It exits with 0 if the server that has the same variables as this container is alive.
const { DOCSCTL_HOST: host, DOCSCTL_PORT: port, DOCSCTL_TLS_CERT: certificate } = process.env;

// The connection stays in this container, and the certificate is for the name that clients use.
const options = { host, port: port || 8080, path: '/livez', rejectUnauthorized: false };
const { get } = certificate ? require('node:https') : require('node:http');

get(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1));
