import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { runServer } from '../serve/run-server.ts';
import { addServeOptions, readServeOptions, type ServeFlags } from '../serve/serve-options.ts';

export const help: CommandHelp = {
  description: `
Serves the API of an embedded store until the server is stopped with Ctrl-C or SIGTERM. When stopped, the server finishes
the open requests and exits. By default, only programs on this machine can reach it.

Clients need a token: \`docsctl init\` shows the first, and \`docsctl tokens create\` creates more.

The server speaks plain HTTP, or HTTPS with --tls-cert and --tls-key (TLS 1.2 or later). On SIGHUP, it reads both files
again without closing connections, and keeps the old certificate if the new one cannot be used. Before other machines
use the server, give it a certificate, or put a proxy with TLS in front of it.

Members can look at organizations, spaces, change requests and sites in a browser. The field \`urls.app\` has the
addresses of these read-only pages, and \`docsctl open\` signs a browser in to them.

With --sites-port, the server also shows the published sites to readers, on a separate port, so that sites and the API
have different origins. The visibility of a site decides who can read it: everyone, people with a share link, or
visitors with a token that your backend signs.

--count-views counts the pages that readers open, without cookies and without storing IP addresses.
\`docsctl sites events aggregate\` shows the counts. Do not use --count-views if a proxy reports the views.

The store remembers the URLs of its latest server, and commands on the store print addresses that start with them. The
settings public-url and sites-url override these URLs; see \`docsctl config set --help\`.

With --processes, several processes answer the requests at the same addresses, and one of them runs the jobs. More than
one process needs a SQLite or PostgreSQL store.

Each option also has a variable: DOCSCTL_ and its name, such as DOCSCTL_SITES_PORT=8081. If the option takes no value,
set its variable to \`yes\` or \`no\`, such as DOCSCTL_COUNT_VIEWS=yes.

The log goes to standard error. It contains warnings and errors, and with --log also a line for each request, job,
start, stop and reload. It contains the addresses of clients, but no tokens, cookies, paths, queries or bodies.

With -o json, the first line of standard output is {"url":"http://127.0.0.1:8080"}, with \`sitesUrl\` and
\`metricsUrl\` too if --sites-port and --metrics-port are given. GET /livez says whether the server runs. GET /readyz says whether it accepts requests and can read and write its store. GET /openapi.json
describes the API. On the port of sites, /~gitbook/healthz and /~gitbook/readyz correspond to /livez and /readyz.
--metrics-port serves metrics for Prometheus at /metrics, without a token and by default to programs on this machine
only.

When the server is stopped, /readyz answers 503 immediately, and the server accepts new requests for --drain-timeout more
seconds. Then the open requests have --grace seconds to end.
`,
  examples: [
    'docsctl serve --port 0 -o json   # runs until Ctrl-C',
    'docsctl serve --port 0 --sites-port 0   # runs until Ctrl-C',
    'docsctl serve --port 0 --public-url https://docs.example.com --trust-proxy 10.0.0.1 --rate-limit 600   # runs until Ctrl-C',
  ],
};

export const define: DefineCommand = (command, inSession, { env, cwd }) => {
  addServeOptions(command);
  command.action(
    inSession((session, flags: ServeFlags) =>
      runServer(session, readServeOptions(command, flags, { env, cwd }, session.settings)),
    ),
  );
};
