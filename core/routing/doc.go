// Package routing decides where a prompt goes next: which candidate of a dynamic
// profile runs it, what a failure does to the shared health of a resource, and
// what a prompt waits for when nothing may run. It is pure: instant and jitter
// are arguments ([Pace]), so a stored choice can be replayed.
//
//	| question                                  | answer                              | file            |
//	|-------------------------------------------|-------------------------------------|-----------------|
//	| whose account is it, without saying whose | [Binding], [Fingerprint]            | binding.go      |
//	| which resource does a code indict         | [ResourceTable], [Key]              | resource.go     |
//	| may that resource be used                 | [Circuit], [Circuit.NextStep]       | circuit.go      |
//	| what does the end of a run change         | [AfterFailure], [AfterSuccess]      | settle.go       |
//	| who runs the prompt now, and why not who  | [Select]: also the preview          | select.go       |
//	| what is tried only once until when        | [Cycle]                             | cycle.go        |
//	| all of it for one failed run              | [FollowUp]                          | followup.go     |
//	| who wakes when a circuit changes          | [Wakes]                             | wake.go         |
//	| what a surface shows                      | [RouteStateOf]                      | routestate.go   |
//	| what a fresh session is told              | [Continuation]                      | continuation.go |
//
// Only resource.go decides by code. A circuit row is written only when a
// transition reports a change, and its Version guards the write. A choice is no
// permission to launch; a claim is.
package routing
