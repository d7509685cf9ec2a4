//go:build prove && !soak

package fleet

import "time"

const (
	wakeupCount = 2000
	pointStride = 1
	serverKills = 25
	workerKills = 6
	// lease is longer than a restart takes, and short enough to wait for.
	lease      = 4 * time.Second
	raceRounds = 1000
)

// racing are the numbers of replicas that race.
var racing = []int{2, 8, 32}
