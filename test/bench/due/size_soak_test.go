//go:build soak

package due

import "time"

const (
	steadyFor     = 10 * time.Second
	burst         = 10000
	waiting       = 100000
	atOnce        = 10000
	snapshotFor   = 60 * time.Second
	idleFor       = 20 * time.Second
	snapshotStock = 150000
)
