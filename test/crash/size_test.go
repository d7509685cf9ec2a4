//go:build !prove && !soak

package crash

const (
	matrixRounds = 1
	matrixStride = 6 // every sixth place, with one replica
	cutRounds    = 1 // of four cuts each
	loadWakeups  = 8
	restartsPG   = 1
)
