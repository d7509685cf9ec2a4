//go:build soak

package fleet

import "time"

const (
	wakeupCount = 40_000
	pointStride = 1
	serverKills = 1000
	workerKills = 429 // with those of servers 10,003 kills at the seven points
	// lease is longer than a restart takes, and short enough to wait for.
	lease      = 4 * time.Second
	raceRounds = 10_000
)

// racing are the numbers of replicas that race.
var racing = []int{2, 8, 32}
