//go:build !soak

package due

import "time"

const (
	steadyFor     = 4 * time.Second // at steadyRate
	burst         = 2000            // due inside one second
	waiting       = 20000           // retries that wait
	atOnce        = 2000            // callers
	snapshotFor   = 3 * time.Second
	idleFor       = 3 * time.Second
	snapshotStock = 12000 // to claim while no snapshot is held, and again while one is
)
