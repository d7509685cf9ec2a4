//go:build prove && !soak

package linear

const (
	historyBatches = 14
	callsPerClient = 30
	raceRounds     = 300
)
