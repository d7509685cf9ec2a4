// Package recovery turns one classified failure into one safe decision. It is
// pure: the clock and the jitter are arguments, so the same facts, result,
// settings, instant and jitter give the same decision on every machine, and a
// stored decision can be replayed.
//
// The steps are gate → evaluate → consent. [Gate] says whether any automatic work is
// allowed and at which boundary; no policy overrides it. The evaluators walk
// one data table per context: the interactive policy of a concrete profile
// (interactive.go) and the per-candidate class policies of a dynamic profile
// (dynamic.go). What is not a provider's failure never reaches them; a worker
// pool has one budget for starts that its host could not make (launch.go). What
// goes on by itself is held against the Off switch and a person's bounds
// (consent.go, window.go). What is fixed about a cause whatever the context is in
// cause.go. No other file mentions a code.
//
// A decision is not permission to launch; a claim is. The state machines of
// session, wakeup and run say which step may follow which (session.go,
// wakeup.go, run.go), and [Advance] and [Interrupted] say what each event of
// the durable path does to them.
package recovery
