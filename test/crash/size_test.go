//go:build !soak

package crash

const (
	matrixRounds = 1
	cutRounds    = 13 // of four cuts each
	loadWakeups  = 60
	restartsPG   = 5
)
