//go:build prove && !soak

package crash

const (
	matrixRounds = 1
	matrixStride = 1
	cutRounds    = 13 // of four cuts each
	loadWakeups  = 60
	restartsPG   = 5
)
