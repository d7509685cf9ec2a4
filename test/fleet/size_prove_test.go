//go:build prove && !soak

package fleet

const (
	wakeupCount = 2000
	serverKills = 25
	workerKills = 10
	raceRounds  = 1000
)
