//go:build !prove && !soak

package linear

const (
	historyBatches = 2
	callsPerClient = 30
	raceRounds     = 10
)
