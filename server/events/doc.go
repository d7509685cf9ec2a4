// Package events numbers committed events, tells readers that there are new
// ones, and streams them. The rows are the truth; hints between processes may
// be lost, doubled or late without losing an event.
package events
