// Package rpc holds the handlers of every RPC: each converts, makes one call
// of a service, and converts back. It decides nothing.
package rpc
