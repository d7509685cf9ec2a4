//go:build !soak

package crash

const (
	cutRounds   = 13 // of four cuts each
	loadWakeups = 60
	restartsPG  = 5
)
