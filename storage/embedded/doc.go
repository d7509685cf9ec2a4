// Package embedded runs a PostgreSQL of its own in the server's data folder,
// for installations that have no DATABASE_URL.
//
// The folder holds:
//
//	lock        held with flock while a Server lives; contains its process id
//	password    random password of the only role, mode 0600
//	pg<major>   the cluster, mode 0700, owned by the user PostgreSQL runs as
//	run         the Unix socket, mode 0700 (a short folder elsewhere when the
//	            path would not fit into a socket address)
//
// PostgreSQL is never reachable over TCP. A process that runs as root hands
// the cluster to the user postgres, or to nobody where there is no such user.
// Programs come from the machine; see Locate for the search order. A cluster
// of another major version is never touched.
//
// The server stops PostgreSQL last. A service manager must therefore signal
// the server alone (systemd: KillMode=mixed): PostgreSQL, signalled as well,
// would refuse the connections that the server needs to finish its work.
package embedded
