//go:build soak

package linear

const (
	historyBatches = 500
	callsPerClient = 40
	raceRounds     = 10_000
)
