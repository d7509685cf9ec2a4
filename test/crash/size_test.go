//go:build !prove && !soak

package crash

const (
	matrixRounds = 1
	matrixStride = 3 // every third place, with one replica
	cutRounds    = 2 // of four cuts each
	loadWakeups  = 8
	restartsPG   = 1
)
