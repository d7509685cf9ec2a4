//go:build soak

package fleet

const (
	wakeupCount = 40_000
	serverKills = 1000
	workerKills = 429 // with those of servers 10,003 kills at the seven points
	raceRounds  = 10_000
)
