// Package auth makes and reads credentials, and carries the caller that one
// proves. It does no I/O.
package auth
