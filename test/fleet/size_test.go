//go:build !prove && !soak

package fleet

import "time"

const (
	wakeupCount = 16
	pointStride = 2 // every second point
	serverKills = 1 // at each of them
	workerKills = 1 // at each third of them
	// lease is longer than a restart takes, and short enough to wait for.
	lease      = 2 * time.Second
	raceRounds = 20
)

// racing are the numbers of replicas that race.
var racing = []int{2, 8}
