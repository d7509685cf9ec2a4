//go:build !prove && !soak

package linear

const (
	historyBatches = 3
	callsPerClient = 30
	raceRounds     = 30
)
