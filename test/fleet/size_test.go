//go:build !prove && !soak

package fleet

const (
	wakeupCount = 40
	serverKills = 1 // at each point
	workerKills = 0 // at each point but those where a death shows most
	raceRounds  = 20
)
